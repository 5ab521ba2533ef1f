// Finds the entries of sites. The public part is inlinecall/extra/entries.h.
#include <inlinecall/extra/entries.h>

#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "code/entries/doubts.h"
#include "code/entries/marks.h"
#include "code/entries/positions.h"
#include "code/flow/go_prologue.h"
#include "text/text.h"

// Limit on the bytes of code read: a minimum, and a multiple of the file's size.
enum { LEAST_BYTES = 1 << 20, FILES_OF_CODE = 2 };

struct site_group { // for the sites in one host
	uint32_t first, count;
	bool is_described_again; // an earlier group has the same host, described by another unit
};

struct worker {
	struct ic_host_code code;
	struct ic_ways_in ways;
	struct ic_entry_doubts doubts;
	struct ic_arena arena; // of what was found
	bool out_of_memory;
};

struct ic_entries {
	struct ic_site_entries *list; // indexed by site
	uint64_t count;
	struct worker *workers;
	uint32_t worker_count;
};

struct job {
	struct ic_entries *entries;
	const struct ic_index *index;
	const struct ic_sites *sites;
	bool without_doubts;
	uint32_t most_functions;
	bool *is_left_out;      // by site: the function around it is not read
	struct ic_keyed *order; // the inlined sites, sorted by unit and host
	uint32_t order_count;
	IC_ARRAY(struct site_group) groups;
};

// ---- One copy

static const char too_much[] = "too much of the code around it was searched for other copies";

// Keeps the results for a site.
static bool keep_entries(struct worker *worker, struct ic_site_entries *found, const char *why_not)
{
	struct ic_arena *arena = &worker->arena;
	const struct ic_entry_doubts *doubts = &worker->doubts;

	found->count = worker->ways.addrs.count;
	found->addrs =
		ic_arena_copy(arena, worker->ways.addrs.items, found->count, sizeof(*found->addrs));
	found->is_counted_elsewhere = worker->ways.is_counted_elsewhere;
	found->why_not = why_not;
	if (why_not && why_not != too_much)
		found->why_not = ic_arena_copy(arena, why_not, strlen(why_not) + 1, 1);
	found->doubt_count = why_not ? 0 : doubts->list.count;
	found->doubts = ic_arena_copy(arena, doubts->list.items, found->doubt_count,
				      sizeof(*found->doubts));
	return found->addrs && found->doubts && (!why_not || found->why_not);
}

static bool find_ways(struct ic_host_code *code, struct ic_ways_in *ways)
{
	const struct ic_function *function = ic_host_code_function(code, code->copy);
	uint64_t entry = ic_host_code_copy(code)->entry;
	bool ok;

	ways->addrs.count = 0;
	ways->is_counted_elsewhere = false;
	ways->unclear = IC_NO_ADDR;
	if (ic_entry_marks_are_there(code))
		ok = ic_entry_marks_find(code, ways);
	else if (!ic_host_code_read(code))
		return false;
	else
		ok = code->why_not || !function ? ic_ways_in_add(ways, entry)
						: ic_entry_positions_find(code, ways);
	ic_ways_in_order(ways, entry);
	return ok;
}

static bool find_inlined(struct worker *worker, const struct job *job, const char **why_not)
{
	struct ic_host_code *code = &worker->code;

	if (!find_ways(code, &worker->ways))
		return false;
	if (job->without_doubts || worker->ways.is_counted_elsewhere)
		return true;
	if (!ic_host_code_read(code))
		return false;
	*why_not = code->why_not;
	if (*why_not)
		return true;
	if (!ic_entry_doubts_find(code, &worker->ways, &worker->doubts))
		return false;
	if (worker->doubts.list.count == 0 &&
	    !ic_entry_recursion_find(code, &worker->ways, &worker->doubts))
		return false;
	if (worker->doubts.gave_up || code->searches == 0)
		*why_not = too_much;
	return true;
}

// An out-of-line instance has one entry; its rows and code may still show more calls.
static bool find_out_of_line(struct worker *worker, const struct job *job, uint64_t entry,
			     const char **why_not)
{
	struct ic_host_code *code = &worker->code;
	bool has_code = !job->without_doubts || code->function.is_go;

	worker->ways.addrs.count = 0;
	worker->ways.is_counted_elsewhere = ic_host_code_is_freeing(code);
	if (worker->ways.is_counted_elsewhere)
		return true;
	if (has_code && !ic_host_code_read(code))
		return false;
	if (has_code && !code->why_not)
		entry = ic_go_prologue_end(code, entry);
	if (!ic_ways_in_add(&worker->ways, entry))
		return false;
	if (job->without_doubts)
		return true;
	if (!ic_entry_repeats_find(code, &worker->ways, &worker->doubts))
		return false;
	*why_not = code->why_not ? code->why_not : worker->doubts.gave_up ? too_much : NULL;
	return *why_not || worker->doubts.list.count > 0 ||
	       ic_entry_recursion_find(code, &worker->ways, &worker->doubts);
}

static bool find_one(struct worker *worker, const struct job *job, uint32_t number)
{
	struct ic_site_entries *found = &job->entries->list[number];
	struct ic_site site;
	const char *why_not = NULL;

	ic_sites_get(job->sites, number, &site);
	if (!ic_host_code_choose(&worker->code, site.instance_number, job->is_left_out[number]))
		return false;
	worker->doubts.list.count = 0;
	worker->doubts.gave_up = false;
	bool ok = site.kind == IC_SITE_INLINED
			  ? find_inlined(worker, job, &why_not)
			  : find_out_of_line(worker, job, site.entry, &why_not);
	return ok && keep_entries(worker, found, why_not);
}

static void find_groups(struct ic_items *items, uint32_t number, void *context)
{
	struct job *job = context;
	struct worker *worker = &job->entries->workers[number];

	for (uint32_t i; ic_items_take(items, &i);) {
		const struct site_group *group = &job->groups.items[i];
		uint64_t key = job->order[group->first].key;
		uint32_t unit = (uint32_t)(key >> 32), host = (uint32_t)key;
		if (group->is_described_again) {
			for (uint32_t j = 0; j < group->count; j++)
				job->entries->list[job->order[group->first + j].number]
					.is_counted_elsewhere = true;
			continue;
		}
		bool ok = !worker->out_of_memory && ic_host_code_enter(&worker->code, unit, host);
		for (uint32_t j = 0; ok && j < group->count; j++)
			ok = find_one(worker, job, job->order[group->first + j].number);
		worker->out_of_memory |= !ok;
	}
}

// ---- All

// Keeps only DWARF's entry of a copy, about which nothing else is known.
static bool keep_entry(struct job *job, uint32_t number, const struct ic_site *site)
{
	struct ic_site_entries *found = &job->entries->list[number];
	uint64_t *addr = ic_arena_copy(&job->entries->workers[0].arena, &site->entry, 1,
				       sizeof(site->entry));

	if (!addr)
		return false;
	*found = (struct ic_site_entries){ .addrs = addr, .count = 1 };
	if (site->kind == IC_SITE_INLINED && !job->without_doubts)
		found->why_not = site->range_count == 0 && !site->has_only_entry
					 ? "it has an entry, but no range of code"
					 : "the function around it is unknown";
	return true;
}

struct around { // the copies of one function so far
	const char *function, *linkage_name;
	uint32_t decl_line;
	uint64_t host;
	uint32_t hosts;
};

// The number of hosts of the function's copies so far, including this site's. Several units may
// each describe the function.
static uint32_t count_around(struct around *around, const struct ic_site *site, uint64_t host)
{
	if (around->decl_line != site->decl_line ||
	    !ic_text_is_same(around->function, site->function) ||
	    !ic_text_is_same(around->linkage_name, site->linkage_name))
		around->hosts = 0;
	if (around->hosts == 0 || around->host != host)
		around->hosts++;
	around->function = site->function;
	around->linkage_name = site->linkage_name;
	around->decl_line = site->decl_line;
	around->host = host;
	return around->hosts;
}

// Sorts copies by host; those without known code have one entry.
static bool order_sites(struct job *job)
{
	struct around around = { .hosts = 0 };
	struct ic_site site;

	job->order = ic_items_alloc(job->entries->count, sizeof(*job->order));
	job->is_left_out = ic_items_zeroed(job->entries->count, sizeof(*job->is_left_out));
	if (!job->order || !job->is_left_out)
		return false;
	for (uint32_t i = 0; ic_sites_get(job->sites, i, &site); i++) {
		if (site.kind != IC_SITE_CALL && site.entry == IC_NO_ADDR && site.range_count > 0)
			job->entries->list[i].why_not = "the file does not say where it is entered";
		if (site.kind == IC_SITE_CALL || site.entry == IC_NO_ADDR)
			continue;
		uint32_t host =
			!site.has_only_entry && site.range_count > 0 && job->index->has_entries
				? ic_function_flow_host(&job->index->units[site.unit_number],
							site.instance_number)
				: IC_NONE;
		if (host == IC_NONE) {
			if (!keep_entry(job, i, &site))
				return false;
			continue;
		}
		uint64_t key = (uint64_t)site.unit_number << 32 | host;
		job->is_left_out[i] = count_around(&around, &site, key) > job->most_functions;
		job->order[job->order_count++] = (struct ic_keyed){ key, i };
	}
	return ic_keyed_sort(job->order, job->order_count);
}

static bool group_sites(struct job *job)
{
	for (uint32_t i = 0; i < job->order_count; i++) {
		if (i > 0 && job->order[i].key == job->order[i - 1].key) {
			job->groups.items[job->groups.count - 1].count++;
			continue;
		}
		if (!IC_ARRAY_ADD(&job->groups, (struct site_group){ i, 1, false }))
			return false;
	}
	return true;
}

static const struct ic_instance *host_of(const struct job *job, uint32_t group)
{
	uint64_t key = job->order[job->groups.items[group].first].key;

	return &job->index->units[key >> 32].instances[(uint32_t)key];
}

// Whether two hosts at one address are the same function: several units had code of it, and the
// linker kept one.
static bool is_same_function(const struct job *job, uint32_t group, uint32_t other)
{
	uint64_t key = job->order[job->groups.items[group].first].key;
	uint64_t other_key = job->order[job->groups.items[other].first].key;
	uint32_t number = host_of(job, group)->function,
		 other_number = host_of(job, other)->function;

	if (key >> 32 == other_key >> 32 || number == IC_NONE || other_number == IC_NONE)
		return false;
	const struct ic_function *a = &job->index->units[key >> 32].functions[number];
	const struct ic_function *b = &job->index->units[other_key >> 32].functions[other_number];
	return a->decl_line == b->decl_line && ic_text_is_same(a->name, b->name) &&
	       ic_text_is_same(a->linkage_name, b->linkage_name);
}

static bool find_described_again(struct job *job)
{
	uint32_t count = job->groups.count;
	struct ic_keyed *starts = ic_items_alloc(count, sizeof(*starts));

	for (uint32_t i = 0; starts && i < count; i++) {
		const struct ic_instance *host = host_of(job, i);
		uint64_t key = job->order[job->groups.items[i].first].key;
		starts[i].key =
			host->entry != IC_NO_ADDR
				? host->entry
				: job->index->units[key >> 32].ranges[host->first_range].start;
		starts[i].number = i;
	}
	bool ok = starts && ic_keyed_sort(starts, count);
	for (uint32_t i = 1, first = 0; ok && i < count; i++) {
		if (starts[i].key != starts[first].key)
			first = i;
		else if (is_same_function(job, starts[i].number, starts[first].number))
			job->groups.items[starts[i].number].is_described_again = true;
	}
	free(starts);
	return ok;
}

// Hosts can overlap, and then have far more code than exists. Leaves out all but the first, in this
// order, so that the result is the same for any number of workers.
static void leave_out_overlapping(struct job *job)
{
	uint64_t left = LEAST_BYTES +
			FILES_OF_CODE * job->entries->workers[0].code.function.image->file.size;

	for (uint32_t i = 0; i < job->groups.count; i++) {
		const struct site_group *group = &job->groups.items[i];
		const struct ic_instance *host = host_of(job, i);
		const struct ic_range *ranges =
			job->index->units[job->order[group->first].key >> 32].ranges +
			host->first_range;
		uint64_t size = 0;
		for (uint32_t j = 0; !group->is_described_again && j < host->range_count; j++)
			size += ranges[j].end - ranges[j].start;
		for (uint32_t j = 0; size > left && j < group->count; j++)
			job->is_left_out[job->order[group->first + j].number] = true;
		left -= size > left ? 0 : size;
	}
}

static bool open_workers(struct ic_entries *entries, uint32_t count, struct ic_image *image,
			 const struct ic_index *index, struct ic_error *err)
{
	entries->workers = calloc(count, sizeof(*entries->workers));
	if (!entries->workers)
		return ic_fail_memory(err);
	for (; entries->worker_count < count; entries->worker_count++)
		if (!ic_function_flow_open(&entries->workers[entries->worker_count].code.function,
					   image, index, IC_CODE_AS_LINKED, err)) {
			entries->worker_count++; // it must be closed
			return false;
		}
	return true;
}

static bool run_job(struct job *job)
{
	struct ic_entries *entries = job->entries;

	if (!order_sites(job) || !group_sites(job) || !find_described_again(job))
		return false;
	leave_out_overlapping(job);
	ic_workers_run(entries->worker_count, job->groups.count, find_groups, job);
	for (uint32_t i = 0; i < entries->worker_count; i++)
		if (entries->workers[i].out_of_memory)
			return false;
	return true;
}

struct ic_entries *ic_entries_find(struct ic_image *image, const struct ic_index *index,
				   const struct ic_sites *sites,
				   const struct ic_entries_options *options, struct ic_error *err)
{
	static const struct ic_entries_options defaults = { .jobs = 0 };
	struct ic_error unwanted;
	struct ic_entries *entries = calloc(1, sizeof(*entries));
	struct job job = { .entries = entries, .index = index, .sites = sites };

	if (!err)
		err = &unwanted;
	if (!options)
		options = &defaults;
	if (!entries) {
		ic_fail_memory(err);
		return NULL;
	}
	job.without_doubts = options->without_doubts;
	job.most_functions = options->most_functions ? options->most_functions : UINT32_MAX;
	entries->count = ic_sites_count(sites);
	entries->list = ic_items_zeroed(entries->count, sizeof(*entries->list));
	uint32_t worker_count = ic_workers_count(
		options->jobs, entries->count < UINT32_MAX ? (uint32_t)entries->count : UINT32_MAX);
	bool ok = (entries->list || ic_fail_memory(err)) &&
		  open_workers(entries, worker_count, image, index, err) &&
		  (run_job(&job) || ic_image_fail_memory(image, err));
	free(job.order);
	free(job.is_left_out);
	IC_ARRAY_FREE(&job.groups);
	if (ok)
		return entries;
	ic_entries_free(entries);
	return NULL;
}

void ic_entries_free(struct ic_entries *entries)
{
	if (!entries)
		return;
	for (uint32_t i = 0; i < entries->worker_count; i++) {
		ic_host_code_free(&entries->workers[i].code);
		ic_ways_in_free(&entries->workers[i].ways);
		IC_ARRAY_FREE(&entries->workers[i].doubts.list);
		ic_arena_free(&entries->workers[i].arena);
	}
	free(entries->workers);
	free(entries->list);
	free(entries);
}

struct ic_site_entries ic_entries_of(const struct ic_entries *entries, size_t number)
{
	return number < entries->count ? entries->list[number]
				       : (struct ic_site_entries){ .count = 0 };
}
