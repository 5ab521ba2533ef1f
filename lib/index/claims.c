#include "index/claims.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/workers.h"

enum { MOST_CLAIMS = 1 << 30 };

bool ic_claims_add(struct ic_claims *claims, struct ic_range range, uint64_t rank, uint32_t unit)
{
	uint32_t count = claims->list.count;

	if (range.start >= range.end)
		return true;
	struct ic_layer *place = count < MOST_CLAIMS ? IC_ARRAY_PUSH(&claims->list) : NULL;
	if (place)
		*place = (struct ic_layer){ range, rank, unit };
	return place != NULL;
}

struct claims_job {
	struct ic_scan *scan;
	const uint32_t *numbers;
	uint64_t first_rank;
	struct ic_claims *claims; // by worker
};

// The unit whose root DIE has the unit's code ranges: for a split unit, its skeleton.
static uint32_t root_of(const struct ic_scan *scan, uint32_t number)
{
	const struct ic_unit *units = scan->context.units.units.items;

	return units[number].skeleton ? (uint32_t)(units[number].skeleton - units) : number;
}

// Keeps the lowest address of all units, whichever thread reads which.
static void note_outside(struct ic_claims *claims, uint64_t addr)
{
	if (addr != 0 && (claims->outside_addr == 0 || addr < claims->outside_addr))
		claims->outside_addr = addr;
}

static bool take_root(struct ic_claims *claims, const struct ic_reader *reader, uint64_t rank,
		      uint32_t number, enum ic_unit_claim claim)
{
	bool is_known = claim != IC_UNIT_CLAIM_UNREADABLE;

	note_outside(claims, reader->outside_addr);
	for (uint32_t i = 0; is_known && i < reader->ranges.count; i++)
		if (!ic_claims_add(claims, reader->ranges.items[i], rank, number))
			return false;
	if (claim == IC_UNIT_CLAIM_ALL || (claim == IC_UNIT_CLAIM_NONE && !claims->wants_unplaced))
		return true;
	return IC_ARRAY_ADD(&claims->unsure, number);
}

static enum ic_unit_claim read_claim(struct ic_reader *reader, uint32_t root)
{
	enum ic_unit_claim claim = IC_UNIT_CLAIM_UNREADABLE;

	if (ic_reader_open_root(reader, root))
		claim = reader->source->claim ? reader->source->claim(reader) : IC_UNIT_CLAIM_SOME;
	struct ic_problems problems = ic_reader_problems_take(reader);
	bool is_sound = problems.list.count == 0;

	IC_ARRAY_FREE(&problems.list); // they are reported when the unit is decoded
	return is_sound ? claim : IC_UNIT_CLAIM_UNREADABLE;
}

static void read_roots(struct ic_items *items, uint32_t worker, void *context)
{
	struct claims_job *job = context;
	struct ic_reader *reader = &ic_scan_stream(job->scan, worker)->reader;
	struct ic_unit *units = job->scan->context.units.units.items;

	for (uint32_t i; ic_items_take(items, &i);) {
		uint32_t number = job->numbers[i];
		uint32_t root = root_of(job->scan, number);

		enum ic_unit_claim claim = read_claim(reader, root);
		if (claim == IC_UNIT_CLAIM_UNREADABLE) // read it again later, so that its faults
						       // are reported
			units[root].root.is_read = false;
		if (!take_root(&job->claims[worker], reader, job->first_rank + number, number,
			       claim))
			reader->out_of_memory = true;
	}
}

static bool append_claims(struct ic_claims *all, const struct ic_claims *some)
{
	note_outside(all, some->outside_addr);
	for (uint32_t i = 0; i < some->list.count; i++) {
		const struct ic_layer *claim = &some->list.items[i];
		if (!ic_claims_add(all, claim->range, claim->rank, claim->owner))
			return false;
	}
	for (uint32_t i = 0; i < some->unsure.count; i++) {
		uint32_t *unsure = IC_ARRAY_PUSH(&all->unsure);
		if (!unsure)
			return false;
		*unsure = some->unsure.items[i];
	}
	return true;
}

bool ic_claims_read(struct ic_claims *claims, struct ic_scan *scan, const uint32_t *numbers,
		    uint32_t count, uint64_t first_rank, struct ic_error *err)
{
	uint32_t workers = scan->worker_count < count ? scan->worker_count : count;
	struct claims_job job = { scan, numbers, first_rank,
				  ic_items_zeroed(workers + 1ull, sizeof(*claims)) };
	bool ok = job.claims != NULL;

	ic_scan_prepare(scan);
	for (uint32_t i = 0; ok && i < workers; i++)
		job.claims[i].wants_unplaced = claims->wants_unplaced;
	if (ok && count > 0)
		ic_workers_run(workers, count, read_roots, &job);
	for (uint32_t i = 0; ok && i < workers; i++)
		ok = !ic_scan_stream(scan, i)->reader.out_of_memory &&
		     append_claims(claims, &job.claims[i]);
	for (uint32_t i = 0; job.claims && i < workers; i++)
		ic_claims_free(&job.claims[i]);
	free(job.claims);
	return ok || ic_fail_memory(err);
}

void ic_claims_free(struct ic_claims *claims)
{
	IC_ARRAY_FREE(&claims->list);
	IC_ARRAY_FREE(&claims->unsure);
}
