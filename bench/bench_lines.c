// Times the running of all line programs of a file: bench_lines FILE [ROUNDS].
//
// Every figure is the least and the median of the rounds, in milliseconds, on one thread.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "debug/file.h"
#include "dwarf/lines/rows.h"
#include "elf/files/elf_file.h"

enum { MOST_ROUNDS = 1000 };

struct figures {
	uint64_t tables, bytes, rows, sum;
};

struct row_list {
	IC_ARRAY(struct ic_line_row) rows;
};

static double milliseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static _Noreturn void fail(const struct ic_error *err)
{
	fprintf(stderr, "bench_lines: %s\n", err->message);
	exit(2);
}

static struct ic_unit table_at(const struct ic_dwarf *dwarf, uint64_t off)
{
	return (struct ic_unit){
		.dwarf = dwarf, .version = 4, .addr_size = 8, .offset_size = 4, .root.line_off = off
	};
}

// Runs the program of a table; the rows are stored if `list` is given.
static void run_table(const struct ic_line_header *header, const struct ic_unit *unit,
		      struct row_list *list, struct figures *figures)
{
	struct ic_line_program program;
	struct ic_line_row row;
	struct ic_error err;

	ic_line_program_open(&program, header, unit, UINT64_MAX);
	if (list)
		list->rows.count = 0;
	for (enum ic_line_event event;
	     (event = ic_line_program_next(&program, &row)) != IC_LINE_END;) {
		if (event != IC_LINE_ROW)
			continue;
		figures->rows++;
		figures->sum += row.addr ^ row.line ^ row.column;
		struct ic_line_row *place = list ? IC_ARRAY_PUSH(&list->rows) : NULL;
		if (place)
			*place = row;
	}
	if (!ic_line_program_ok(&program, &err))
		fail(&err);
	ic_line_program_close(&program);
}

// Reads every table, and runs its program unless only `headers` are wanted.
static struct figures run_tables(const struct ic_dwarf *dwarf, bool headers, struct row_list *list)
{
	struct ic_line_header header = { 0 };
	struct figures figures = { 0 };
	struct ic_error err;

	for (uint64_t off = 0; off < dwarf->line.size;) {
		const struct ic_unit unit = table_at(dwarf, off);
		if (!ic_line_header_parse(&header, &unit, UINT64_MAX, &err))
			fail(&err);
		if (!headers)
			run_table(&header, &unit, list, &figures);
		figures.tables++;
		figures.bytes += header.program_size;
		off = header.program_off + header.program_size;
	}
	ic_line_header_free(&header);
	return figures;
}

static struct figures time_tables(const char *what, const struct ic_dwarf *dwarf, bool headers,
				  struct row_list *list, int rounds)
{
	double samples[MOST_ROUNDS];
	struct figures figures = { 0 };

	for (int round = 0; round < rounds; round++) {
		double start = milliseconds();
		figures = run_tables(dwarf, headers, list);
		samples[round] = milliseconds() - start;
	}
	qsort(samples, (size_t)rounds, sizeof(*samples), compare);
	printf("%-24s %8.1f %8.1f", what, samples[0], samples[rounds / 2]);
	if (figures.rows > 0)
		printf("   %.2f ns a row", samples[0] * 1e6 / (double)figures.rows);
	printf("\n");
	return figures;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 20;
	struct row_list list = { .rows = { 0 } };
	struct ic_dwarf_file dwarf_file;
	struct ic_elf_file file;
	struct ic_error err;

	if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
		fputs("Usage: bench_lines FILE [ROUNDS]\n", stderr);
		return 64;
	}
	if (!ic_elf_file_open(&file, argv[1], &err) ||
	    !ic_dwarf_file_load(&dwarf_file, &file, IC_DWARF_FILE_MAIN, 1, &err))
		fail(&err);
	if (dwarf_file.count > 0) {
		const struct ic_dwarf *dwarf = &dwarf_file.dwarfs[0];
		printf("%-24s %8s %8s\n", "milliseconds", "least", "median");
		time_tables("headers", dwarf, true, NULL, rounds);
		time_tables("headers and rows", dwarf, false, NULL, rounds);
		struct figures figures =
			time_tables("the same, rows stored", dwarf, false, &list, rounds);
		printf("%" PRIu64 " tables, %" PRIu64 " bytes of programs, %" PRIu64
		       " rows, sum %" PRIx64 "\n",
		       figures.tables, figures.bytes, figures.rows, figures.sum);
	}
	IC_ARRAY_FREE(&list.rows);
	ic_dwarf_file_free(&dwarf_file);
	ic_elf_file_close(&file);
	return 0;
}
