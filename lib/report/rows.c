#include "report/rows.h"

#include <stdlib.h>

struct ic_rows *ic_rows_alloc(size_t size, const struct ic_row_type *type,
			      const struct ic_row_options *options, struct ic_error *err)
{
	struct ic_rows *rows = calloc(1, size);

	if (!rows) {
		if (err)
			ic_fail_memory(err);
		return NULL;
	}
	rows->type = type;
	rows->filler.names.style = IC_DEMANGLE_FULL;
	if (options)
		rows->filler.options = *options;
	return rows;
}

const void *ic_rows_take(struct ic_rows *rows, struct ic_error *err)
{
	err->code = IC_ERROR_NONE;
	if (rows->next == rows->count || rows->is_over)
		return NULL;
	const void *row = rows->make(rows, rows->next);
	if (rows->is_over)
		return NULL;
	if (!row || rows->filler.names.out_of_memory) {
		ic_fail_memory(err);
		return NULL;
	}
	rows->next++;
	return row;
}

bool ic_rows_next(struct ic_rows *rows, struct ic_row *row, struct ic_error *err)
{
	struct ic_error unwanted;
	const void *taken = ic_rows_take(rows, err ? err : &unwanted);

	if (!taken)
		return false;
	*row = (struct ic_row){ .site = NULL };
	switch (rows->type->kind) {
	case IC_ROWS_SITES: row->site = taken; break;
	case IC_ROWS_COUNTS: row->count = taken; break;
	case IC_ROWS_STACKS: row->stack = taken; break;
	case IC_ROWS_TREES: row->tree = taken; break;
	case IC_ROWS_STATISTICS: row->statistic = taken; break;
	case IC_ROWS_ARGUMENTS: row->argument = taken; break;
	case IC_ROWS_VERDICTS: row->verdict = taken; break;
	case IC_ROWS_BTF_SITES: row->btf_site = taken; break;
	case IC_ROWS_BTF_TALLIES: row->btf_tally = taken; break;
	case IC_ROWS_CALL_FRAMES: row->call_frame = taken; break;
	case IC_ROWS_CALL_FRAME_ITEMS: row->call_frame_item = taken; break;
	case IC_ROWS_THREADS: row->thread = taken; break;
	case IC_ROWS_LINT: row->lint = taken; break;
	case IC_ROWS_PROBES: row->probe = taken; break;
	case IC_ROWS_HITS: row->hit = taken; break;
	case IC_ROWS_HIT_COUNTS: row->hit_count = taken; break;
	case IC_ROWS_LATENCIES: row->latency = taken; break;
	case IC_ROWS_HISTOGRAMS: row->histogram = taken; break;
	case IC_ROWS_PROFILE: row->profile = taken; break;
	}
	return true;
}

void ic_rows_free(struct ic_rows *rows)
{
	if (!rows)
		return;
	if (rows->deinit)
		rows->deinit(rows);
	ic_filler_deinit(&rows->filler);
	free(rows);
}
