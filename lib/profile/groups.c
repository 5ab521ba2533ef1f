// Groups the samples of a profile.
#include <stdlib.h>

#include "profile/profile.h"

struct host { // of a group function's inlined copies
	uint32_t group, function;
	uint64_t total;
	const char *name;
};

struct group {
	struct ic_profile_group public;
	uint32_t seen;     // the last cell in which it was counted, from 1
	uint32_t function; // its number, for groups by function
	uint32_t first_host, host_count;
};

struct ic_profile_groups {
	struct ic_profile_event event;
	IC_ARRAY(struct group) list;
	struct ic_profile_host *hosts; // sorted by group
	size_t left_out;               // groups beyond the limit of the query
};

struct place {                          // a frame in the stack of a cell
	uint32_t node, location, frame; // `frame` is an index into the profile's frames
};

struct counter {
	const struct ic_profile *profile;
	const struct ic_profile_query *query;
	struct ic_profile_groups *groups;
	struct ic_profile_keys keys; // from keys to group numbers
	IC_ARRAY(struct host) hosts;
	struct ic_map host_of; // index by group and function
	bool *is_wanted;       // by function: whether it is the one in the query
	bool out_of_memory;
};

// ---- Stacks

static const struct ic_profile_frame *frame_at(const struct ic_profile *profile,
					       const struct place *place)
{
	return &profile->resolved.frames.items[place->frame];
}

// The innermost frame of a node.
static struct place enter_node(const struct ic_profile *profile, uint32_t node)
{
	uint32_t location = profile->nodes.items[node].location;

	return (struct place){ node, location, profile->locations.items[location].first_frame };
}

// Moves to the caller. False if there is none.
static bool go_out(const struct ic_profile *profile, struct place *place)
{
	const struct ic_profile_location *location = &profile->locations.items[place->location];

	if (place->frame + 1 < location->first_frame + location->frame_count) {
		place->frame++;
		return true;
	}
	uint32_t caller = profile->nodes.items[place->node].caller;
	if (caller == IC_NONE)
		return false;
	*place = enter_node(profile, caller);
	return true;
}

static uint32_t host_frame(const struct ic_profile *profile, const struct place *place)
{
	const struct ic_profile_location *location = &profile->locations.items[place->location];

	return location->first_frame + location->frame_count - 1;
}

// ---- Groups

struct key { // identifies a group; unused numbers are IC_NONE
	uint32_t function, caller, source, line;
};

// The group for a key, added if it does not exist. NULL if memory runs out.
static struct group *group_of(struct counter *counter, const struct key *key, bool *is_new)
{
	uint32_t *place = ic_profile_keys_at(&counter->keys, key, sizeof(*key));

	*is_new = place && *place == IC_NONE;
	if (place && !*is_new)
		return &counter->groups->list.items[*place];
	struct group *group = place ? IC_ARRAY_PUSH(&counter->groups->list) : NULL;
	if (!group) {
		counter->out_of_memory = true;
		return NULL;
	}
	*group = (struct group){ .public = { .by = counter->query->by } };
	*place = counter->groups->list.count - 1;
	return group;
}

static void set_function(const struct counter *counter, struct ic_profile_group *group,
			 uint32_t number)
{
	const struct ic_profile_function *function =
		&counter->profile->resolved.functions.items[number];

	group->function = function->name;
	group->linkage_name = function->linkage_name;
	group->source = function->decl_file;
	group->line = function->decl_line;
	group->file = counter->profile->files.items[function->file].name;
}

static struct group *function_group(struct counter *counter, uint32_t function)
{
	const struct key key = { function, IC_NONE, IC_NONE, 0 };
	bool is_new;
	struct group *group = group_of(counter, &key, &is_new);

	if (group && is_new && function != IC_NONE) {
		set_function(counter, &group->public, function);
		group->function = function;
	}
	return group;
}

static struct group *call_group(struct counter *counter, const struct place *place)
{
	const struct ic_profile_frame *frame = frame_at(counter->profile, place), *outer = NULL;
	struct place caller = *place;
	struct key key = { frame->function, IC_NONE, IC_NONE, 0 };
	bool is_new;

	if (go_out(counter->profile, &caller)) {
		outer = frame_at(counter->profile, &caller);
		key = (struct key){ frame->function, outer->function,
				    ic_profile_keys_text(&counter->keys, outer->source),
				    outer->line };
	}
	struct group *group = group_of(counter, &key, &is_new);
	if (!group || !is_new)
		return group;
	set_function(counter, &group->public, frame->function);
	group->public.source = outer ? outer->source : NULL;
	group->public.line = outer ? outer->line : 0;
	if (outer)
		group->public.caller =
			counter->profile->resolved.functions.items[outer->function].name;
	return group;
}

static struct group *source_group(struct counter *counter, const struct ic_profile_frame *frame,
				  uint32_t line)
{
	const struct key key = { IC_NONE, IC_NONE,
				 ic_profile_keys_text(&counter->keys, frame->source), line };
	bool is_new;
	struct group *group = group_of(counter, &key, &is_new);

	if (group && is_new) {
		group->public.source = frame->source;
		group->public.line = line;
	}
	return group;
}

static struct group *file_group(struct counter *counter, const struct place *place)
{
	const struct ic_profile *profile = counter->profile;
	const char *name =
		profile->files.items[profile->locations.items[place->location].file].name;
	const struct key key = { IC_NONE, IC_NONE, ic_profile_keys_text(&counter->keys, name), 0 };
	bool is_new;
	struct group *group = group_of(counter, &key, &is_new);

	if (group && is_new)
		group->public.file = name;
	return group;
}

static struct group *thread_group(struct counter *counter, uint32_t number)
{
	const struct ic_profile_thread *thread = &counter->profile->threads.items[number];
	const struct key key = { thread->pid, thread->tid,
				 ic_profile_keys_text(&counter->keys, thread->name), 0 };
	bool is_new;
	struct group *group = group_of(counter, &key, &is_new);

	if (group && is_new) {
		group->public.thread = thread->name;
		group->public.pid = thread->pid;
		group->public.tid = thread->tid;
	}
	return group;
}

// The group that a frame belongs to; NULL if it belongs to none, or memory runs out.
static struct group *find_group(struct counter *counter, const struct place *place, uint32_t thread)
{
	const struct ic_profile_frame *frame = frame_at(counter->profile, place);

	switch (counter->query->by) {
	case IC_PROFILE_BY_FUNCTION: return function_group(counter, frame->function);
	case IC_PROFILE_BY_HOST:
		return place->frame == host_frame(counter->profile, place)
			       ? function_group(counter, frame->function)
			       : NULL;
	case IC_PROFILE_BY_CALL: return call_group(counter, place);
	case IC_PROFILE_BY_LINE: return source_group(counter, frame, frame->line);
	case IC_PROFILE_BY_SOURCE: return source_group(counter, frame, 0);
	case IC_PROFILE_BY_FILE: return file_group(counter, place);
	case IC_PROFILE_BY_THREAD: return thread_group(counter, thread);
	case IC_PROFILE_BY_CALLER:
	case IC_PROFILE_BY_CALLEE: break;
	}
	return NULL;
}

// ---- Counting

static void count_host(struct counter *counter, const struct group *group,
		       const struct place *place, uint64_t weight)
{
	uint32_t number = (uint32_t)(group - counter->groups->list.items);
	uint32_t function =
		counter->profile->resolved.frames.items[host_frame(counter->profile, place)]
			.function;
	uint32_t *found = ic_map_at(&counter->host_of, (uint64_t)number << 32 | function);

	struct host *host = found && *found == IC_NONE ? IC_ARRAY_PUSH(&counter->hosts) : NULL;
	if (host) {
		*host = (struct host){ .group = number, .function = function };
		*found = counter->hosts.count - 1;
	}
	if (found && *found != IC_NONE)
		ic_profile_add(&counter->hosts.items[*found].total, weight);
	else
		counter->out_of_memory = true;
}

static void count_total(struct group *group, const struct ic_profile_cell *cell, bool inlined)
{
	ic_profile_add(&group->public.total, cell->weight);
	ic_profile_add(&group->public.total_samples, cell->samples);
	if (inlined)
		ic_profile_add(&group->public.total_inlined, cell->weight);
}

static bool has_no_debug(const struct ic_profile *profile, const struct place *place)
{
	const struct ic_profile_location *location = &profile->locations.items[place->location];

	// In a file with debug information, a location without a name too is not code of a
	// function.
	return location->has_no_debug &&
	       (!profile->files.items[location->file].has_debug ||
		profile->resolved.functions.items[frame_at(profile, place)->function].name);
}

static void count_self(struct group *group, const struct ic_profile_cell *cell, bool inlined)
{
	ic_profile_add(&group->public.self, cell->weight);
	ic_profile_add(&group->public.self_samples, cell->samples);
	if (inlined)
		ic_profile_add(&group->public.self_inlined, cell->weight);
}

static void count_unknown(struct counter *counter, const struct ic_profile_cell *cell)
{
	const struct ic_profile *profile = counter->profile;
	struct place place = enter_node(profile, cell->node);

	if (!profile->resolved.functions.items[frame_at(profile, &place)->function].name)
		ic_profile_add(&counter->groups->event.unknown, cell->weight);
	if (has_no_debug(profile, &place))
		ic_profile_add(&counter->groups->event.no_debug, cell->weight);
}

static void count_cell(struct counter *counter, uint32_t number)
{
	const struct ic_profile_cell *cell = &counter->profile->cells.items[number];
	struct place place = enter_node(counter->profile, cell->node);
	bool is_first = true;

	do {
		struct group *group = find_group(counter, &place, cell->thread);
		bool inlined = frame_at(counter->profile, &place)->inlined;
		if (!group)
			continue;
		if (is_first)
			count_self(group, cell, inlined);
		if (is_first && has_no_debug(counter->profile, &place))
			ic_profile_add(&group->public.self_no_debug, cell->weight);
		is_first = false;
		if (group->seen == number + 1)
			continue;
		group->seen = number + 1;
		count_total(group, cell, inlined);
		if (inlined && counter->query->by == IC_PROFILE_BY_FUNCTION)
			count_host(counter, group, &place, cell->weight);
	} while (go_out(counter->profile, &place));
}

// For the innermost call of the function: counts its caller or its callee.
static void count_neighbour(struct counter *counter, uint32_t number)
{
	const struct ic_profile *profile = counter->profile;
	const struct ic_profile_cell *cell = &profile->cells.items[number];
	struct place place = enter_node(profile, cell->node), inner = place;
	bool is_first = true;

	while (!counter->is_wanted[frame_at(profile, &place)->function]) {
		inner = place;
		is_first = false;
		if (!go_out(profile, &place))
			return;
	}
	const struct ic_profile_frame *frame = frame_at(profile, &place), *other = NULL;
	bool inlined = frame->inlined;
	if (counter->query->by == IC_PROFILE_BY_CALLER) {
		if (go_out(profile, &place))
			other = frame_at(profile, &place);
	} else if (!is_first) {
		other = frame_at(profile, &inner);
		inlined = other->inlined;
	}
	struct group *group = function_group(counter, other ? other->function : IC_NONE);
	if (!group)
		return;
	count_total(group, cell, other && inlined);
	if (is_first)
		count_self(group, cell, other && inlined);
}

// ---- The query

static bool is_called(const struct ic_profile_function *function, const char *name)
{
	size_t length = function->name ? strlen(function->name) : 0, wanted = strlen(name);

	if (length < wanted || strcmp(function->name + length - wanted, name) != 0)
		return false;
	return length == wanted ||
	       (length >= wanted + 2 && memcmp(function->name + length - wanted - 2, "::", 2) == 0);
}

static bool find_functions(struct counter *counter, struct ic_error *err)
{
	const struct ic_profile *profile = counter->profile;
	const char *name = counter->query->of;
	bool any = false;

	counter->is_wanted =
		ic_items_zeroed(profile->resolved.functions.count + 1ull, sizeof(bool));
	if (!counter->is_wanted)
		return ic_fail_memory(err);
	for (uint32_t i = 0; name && i < profile->resolved.functions.count; i++)
		any |= counter->is_wanted[i] =
			is_called(&profile->resolved.functions.items[i], name);
	return any || ic_fail(err, IC_ERROR_NOT_FOUND, "no sample has a function called %s",
			      name ? name : "NULL");
}

static bool is_of_neighbours(const struct ic_profile_query *query)
{
	return query->by == IC_PROFILE_BY_CALLER || query->by == IC_PROFILE_BY_CALLEE;
}

static int compare_texts(const char *left, const char *right)
{
	return strcmp(left ? left : "", right ? right : "");
}

static int compare_hosts(const void *left, const void *right)
{
	const struct host *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	// Their numbers depend on the order of discovery.
	int order = compare_texts(a->name, b->name);
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

static bool take_hosts(struct counter *counter)
{
	struct ic_profile_groups *groups = counter->groups;
	uint32_t count = counter->hosts.count;

	groups->hosts = ic_items_alloc(count + 1ull, sizeof(*groups->hosts));
	if (!groups->hosts)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct host *host = &counter->hosts.items[i];
		host->name = counter->profile->resolved.functions.items[host->function].name;
	}
	if (count > 0)
		qsort(counter->hosts.items, count, sizeof(*counter->hosts.items), compare_hosts);
	for (uint32_t i = 0; i < count; i++) {
		const struct host *host = &counter->hosts.items[i];
		struct group *group = &groups->list.items[host->group];
		if (group->host_count++ == 0)
			group->first_host = i;
		groups->hosts[i] = (struct ic_profile_host){ host->name, host->total };
	}
	return true;
}

static int compare_groups(const void *left, const void *right)
{
	const struct ic_profile_group *a = &((const struct group *)left)->public;
	const struct ic_profile_group *b = &((const struct group *)right)->public;
	bool by_total = a->by == IC_PROFILE_BY_CALLER || a->by == IC_PROFILE_BY_CALLEE;

	if (a->self != b->self && !by_total)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	int order = compare_texts(a->function, b->function);
	if (order == 0)
		order = compare_texts(a->source, b->source);
	if (order == 0)
		order = compare_texts(a->file, b->file);
	if (order == 0)
		order = compare_texts(a->caller, b->caller);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

// Sorts the groups, and drops those that the query excludes.
static void choose_key(struct counter *counter)
{
	const struct ic_profile_query *query = counter->query;
	struct ic_profile_groups *groups = counter->groups;
	double least = query->least_percent / 100 * (double)groups->event.weight;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < groups->list.count; i++)
		if ((double)groups->list.items[i].public.total >= least)
			groups->list.items[kept++] = groups->list.items[i];
	groups->list.count = kept;
	if (kept > 0)
		qsort(groups->list.items, kept, sizeof(*groups->list.items), compare_groups);
	groups->left_out = ic_items_limit(&groups->list.count, query->limit);
}

static bool count_all(struct counter *counter, struct ic_error *err)
{
	const struct ic_profile *profile = counter->profile;
	bool of_neighbours = is_of_neighbours(counter->query);

	if (of_neighbours && !find_functions(counter, err))
		return false;
	for (uint32_t i = 0; i < profile->cells.count && !counter->out_of_memory; i++) {
		const struct ic_profile_cell *cell = &profile->cells.items[i];
		if (cell->event != counter->query->event || cell->node == IC_NONE)
			continue;
		count_unknown(counter, cell);
		if (of_neighbours)
			count_neighbour(counter, i);
		else
			count_cell(counter, i);
	}
	if (counter->out_of_memory || !take_hosts(counter))
		return ic_fail_memory(err);
	choose_key(counter);
	return true;
}

struct ic_profile_groups *ic_profile_groups_find(const struct ic_profile *profile,
						 const struct ic_profile_query *query,
						 struct ic_error *err)
{
	static const struct ic_profile_query defaults = { .by = IC_PROFILE_BY_FUNCTION };
	struct counter counter = { .profile = profile, .query = query ? query : &defaults };
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (!profile->resolved.is_done || counter.query->event >= profile->events.count) {
		ic_fail(err, IC_ERROR_ARGUMENT,
			"the profile has no such event, or its frames are not resolved yet");
		return NULL;
	}
	counter.groups = calloc(1, sizeof(*counter.groups));
	if (counter.groups)
		counter.groups->event = profile->events.items[counter.query->event];
	bool ok = counter.groups ? count_all(&counter, err) : ic_fail_memory(err);
	ic_profile_keys_free(&counter.keys);
	ic_map_free(&counter.host_of);
	IC_ARRAY_FREE(&counter.hosts);
	free(counter.is_wanted);
	if (ok)
		return counter.groups;
	ic_profile_groups_free(counter.groups);
	return NULL;
}

void ic_profile_groups_free(struct ic_profile_groups *groups)
{
	if (!groups)
		return;
	IC_ARRAY_FREE(&groups->list);
	free(groups->hosts);
	free(groups);
}

void ic_profile_groups_event(const struct ic_profile_groups *groups, struct ic_profile_event *event)
{
	*event = groups->event;
}

size_t ic_profile_groups_left_out(const struct ic_profile_groups *groups)
{
	return groups->left_out;
}

size_t ic_profile_groups_count(const struct ic_profile_groups *groups)
{
	return groups->list.count;
}

bool ic_profile_groups_get(const struct ic_profile_groups *groups, size_t number,
			   struct ic_profile_group *group)
{
	if (number >= groups->list.count)
		return false;
	const struct group *found = &groups->list.items[number];
	*group = found->public;
	group->hosts = groups->hosts + found->first_host;
	group->host_count = found->host_count;
	return true;
}

uint32_t ic_profile_groups_function(const struct ic_profile_groups *groups, size_t number)
{
	return groups->list.items[number].function;
}
