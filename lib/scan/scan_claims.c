#include "scan/scan_claims.h"

#include <stdlib.h>

#include "base/workers.h"
#include "scan/scan_pc.h"

enum { MOST_CLAIMS = 1 << 30 };

bool ic_scan_claims_add(struct ic_scan_claims *claims, struct ic_range range, uint32_t unit)
{
	uint32_t count = claims->list.count;

	if (range.start >= range.end)
		return true;
	struct ic_layer *place = count < MOST_CLAIMS ? IC_ARRAY_PUSH(&claims->list) : NULL;
	if (place)
		*place = (struct ic_layer){ range, unit, unit };
	return place != NULL;
}

struct claims_job {
	struct ic_scan *scan;
	const uint32_t *numbers;
	struct ic_scan_claims *claims; // by worker
};

// The unit whose root entry says where a unit's code is: of a split one its skeleton.
static uint32_t root_of(const struct ic_scan *scan, uint32_t number)
{
	const struct ic_unit *units = scan->context.units.units.items;

	return units[number].skeleton ? (uint32_t)(units[number].skeleton - units) : number;
}

static bool read_root(struct ic_scan_stream *stream, uint32_t root)
{
	struct ic_instance instance = { .entry = IC_NO_ADDR };
	struct ic_scan_pc pc = { .low_pc.form = 0 };
	struct ic_value value;
	struct ic_die die;
	struct ic_error err;

	stream->ranges.count = 0;
	if (!ic_scan_unit_open_root(stream, root))
		return false;
	const struct ic_unit *unit = stream->unit;
	stream->list_budget = stream->context->list_allowance + 4 * (unit->end_off - unit->off);
	stream->unit_is_dead = unit->has_low_pc && unit->has_high_pc &&
			       !ic_scan_is_code(stream, unit->low_pc);
	if (!ic_die_open(&die, unit, stream->table, unit->die_off, &err))
		return false;
	for (uint16_t name; (name = ic_die_next(&die, &value));)
		ic_scan_pc_take(&pc, name, &value);
	ic_scan_pc_resolve(stream, &pc, false, &instance, unit->die_off);
	return true;
}

static void read_roots(struct ic_items *items, uint32_t worker, void *context)
{
	struct claims_job *job = context;
	struct ic_scan_stream *stream = &job->scan->workers[worker].streams[0];

	for (uint32_t i; ic_items_take(items, &i);) {
		uint32_t number = job->numbers[i];
		bool known = read_root(stream, root_of(job->scan, number));

		IC_ARRAY_FREE(&stream->problems.list); // they will be met again
		stream->problems = (struct ic_problems){ .arena = stream->arena };
		for (uint32_t j = 0; known && j < stream->ranges.count; j++)
			if (!ic_scan_claims_add(&job->claims[worker], stream->ranges.items[j],
						number))
				stream->out_of_memory = true;
	}
}

bool ic_scan_claims_read(struct ic_scan_claims *claims, struct ic_scan *scan,
			 const uint32_t *numbers, uint32_t count, struct ic_error *err)
{
	uint32_t workers = scan->worker_count < count ? scan->worker_count : count;
	struct claims_job job = { scan, numbers, calloc(workers + 1ull, sizeof(*claims)) };
	bool ok = job.claims != NULL;

	ic_scan_prepare(scan);
	if (ok && count > 0)
		ic_workers_run(workers, count, read_roots, &job);
	for (uint32_t i = 0; ok && i < workers; i++) {
		ok = !scan->workers[i].streams[0].out_of_memory;
		for (uint32_t j = 0; ok && j < job.claims[i].list.count; j++) {
			const struct ic_layer *claim = &job.claims[i].list.items[j];
			ok = ic_scan_claims_add(claims, claim->range, claim->owner);
		}
	}
	for (uint32_t i = 0; job.claims && i < workers; i++)
		ic_scan_claims_free(&job.claims[i]);
	free(job.claims);
	return ok || ic_fail_memory(err);
}

void ic_scan_claims_free(struct ic_scan_claims *claims)
{
	IC_ARRAY_FREE(&claims->list);
}
