// Adds calls up, and reads what the kernel added up.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "trace/bpf/kernel.h"
#include "trace/groups/groups.h"
#include "trace/groups/sums.h"
#include "trace/hits/taken.h"

#include <inlinecall/backtrace.h>

enum { SETTLE_NANOSECONDS = 1000000 }; // until programs that run have ended

struct follower { // what is needed to add recorded calls
	struct ic_trace *trace;
	struct ic_modules *modules; // for stacks
	struct ic_error *err;
};

// ---- Keys of recorded calls

// Writes an argument into a key. False if it is unknown.
static bool put_argument(const struct ic_trace *trace, const struct ic_trace_taken *taken,
			 uint32_t number, uint8_t *to)
{
	const struct ic_trace_item *item = &trace->items.items[taken->record.copy];
	uint8_t argument =
		ic_trace_data(trace, trace->data, taken->record.copy)->key_arguments[number];
	bool is_string = trace->shape.grouping.strings >> number & 1;
	struct ic_value_bytes value;

	if (argument == IC_TRACE_NO_ARGUMENT ||
	    !ic_trace_bytes_find(trace, item, &taken->reading, argument, &value))
		return false;
	const struct ic_trace_type *type = &item->types[argument];
	if (!is_string && type->size <= 8) { // as the kernel extends it; the rest is zero
		uint64_t extended = ic_trace_number_extend(type, value.bytes);
		memcpy(to, &extended, sizeof(extended));
		return true;
	}
	if (!is_string) {
		memcpy(to, value.bytes, IC_TRACE_VALUE_SIZE);
		return true;
	}
	const struct ic_trace_string string =
		ic_trace_string_find(trace, item, &taken->reading, argument, &value);
	size_t room = trace->layout.key_string_room - 1;
	to[1] = string.is_null; // differs from an empty string
	size_t size = string.size < room ? (size_t)string.size : room;
	if (size > 0)
		memcpy(to, string.bytes, strnlen((const char *)string.bytes, size));
	return string.is_read || string.is_null;
}

// Writes the key of a call as the kernel does.
static void put_key(const struct ic_trace *trace, const struct ic_trace_taken *taken, uint8_t *to)
{
	const struct ic_trace_grouping *grouping = &trace->shape.grouping;
	const struct ic_trace_record *record = &taken->record;
	struct ic_trace_group_key key = {
		.place = ic_trace_data(trace, trace->data, record->copy)->place,
		.pid = grouping->by_pid ? record->pid : 0,
		.tid = grouping->by_tid ? record->tid : 0,
		.cpu = grouping->by_cpu ? record->cpu : 0,
	};

	memset(to, 0, trace->layout.key_size);
	if (grouping->by_command)
		memcpy(key.command, record->command, sizeof(key.command));
	for (uint32_t i = 0; i < grouping->key_count; i++) {
		uint32_t offset = ic_trace_key_offset(&trace->shape, &trace->layout, i);
		key.known |= (uint64_t)put_argument(trace, taken, i, to + offset) << i;
	}
	memcpy(to, &key, sizeof(key));
}

static void put_frame(FILE *out, const struct ic_backtrace_frame *frame)
{
	const char *name = frame->frame.display_name ? frame->frame.display_name
			   : frame->frame.function   ? frame->frame.function
						     : frame->symbol;

	for (const char *letter = name ? name : "??"; *letter; letter++)
		fputc(*letter == ';' || *letter == '\n' ? ':' : *letter, out);
}

// Appends the stack of a call to its key: functions from the outermost on, separated by semicolons.
static void put_stack(const struct follower *follower, const struct ic_trace_taken *taken,
		      FILE *out)
{
	const struct ic_trace_hit hit = ic_trace_hit_of(follower->trace, taken);
	struct ic_backtrace_thread thread;
	struct ic_error err;

	struct ic_backtraces *stacks =
		ic_trace_backtrace(follower->trace, follower->modules, &hit, &err);
	if (!stacks || !ic_backtraces_get(stacks, 0, &thread)) {
		fprintf(out, "[%s]", stacks ? "no stack" : err.message);
	} else {
		if (thread.end != IC_UNWIND_OUTERMOST)
			fputs("[more frames];", out);
		for (size_t i = thread.frame_count; i-- > 0;) {
			put_frame(out, &thread.frames[i]);
			fputs(i > 0 ? ";" : "", out);
		}
	}
	ic_backtraces_free(stacks);
}

// Finds the sum of a recorded call; *number is IC_NONE if there are too many groups.
static bool find_sum(const struct follower *follower, const struct ic_trace_taken *taken,
		     uint32_t *number)
{
	struct ic_trace *trace = follower->trace;
	uint8_t head[IC_TRACE_MOST_KEY];
	char *text = NULL;
	size_t size = 0;

	put_key(trace, taken, head);
	struct ic_bytes key = { head, trace->layout.key_size };
	if (trace->keys.has_stack) {
		FILE *out = open_memstream(&text, &size);
		if (!out)
			return ic_fail_memory(follower->err);
		fwrite(head, 1, trace->layout.key_size, out);
		put_stack(follower, taken, out);
		if (fclose(out) != 0 || !text) {
			free(text);
			return ic_fail_memory(follower->err);
		}
		key = (struct ic_bytes){ (const uint8_t *)text, size };
	}
	bool ok = ic_trace_sums_find(trace, &trace->groups.followed, &key, taken->record.copy,
				     number);
	free(text);
	return ok || ic_fail_memory(follower->err);
}

// Adds a call, with the duration of one that has ended or otherwise the measured argument.
static void add_call(struct ic_trace *trace, uint32_t number, const struct ic_trace_taken *taken,
		     const uint64_t *duration)
{
	struct ic_trace_sums *sums = &trace->groups.followed;

	if (number == IC_NONE) {
		sums->left_out++;
		return;
	}
	struct ic_trace_sum *sum = &sums->list.items[number];
	uint64_t *buckets = ic_trace_sums_buckets(trace, sums, number);
	sum->count++;
	if (duration) {
		ic_trace_sum_measure(sum, buckets, *duration);
		return;
	}
	const struct ic_trace_item *item = &trace->items.items[taken->record.copy];
	uint8_t measure = ic_trace_data(trace, trace->data, taken->record.copy)->measure;
	struct ic_value_bytes value;
	if (measure != IC_TRACE_NO_ARGUMENT &&
	    ic_trace_bytes_find(trace, item, &taken->reading, measure, &value))
		ic_trace_sum_measure(sum, buckets,
				     ic_trace_number_extend(&item->types[measure], value.bytes));
}

bool ic_trace_groups_follow(struct ic_trace *trace, struct ic_modules *modules,
			    struct ic_error *err)
{
	struct ic_error unwanted;
	const struct follower follower = { trace, modules, err ? err : &unwanted };
	struct ic_trace_taken taken;
	struct ic_trace_left left;
	uint32_t number;

	while (ic_trace_take(trace, &taken)) {
		if (taken.exit) {
			if (ic_trace_leave_taken(trace, &taken, &left))
				add_call(trace, left.sum, &taken, &left.duration);
			continue;
		}
		if (!find_sum(&follower, &taken, &number))
			return false;
		if (trace->exits.count > 0)
			ic_trace_enter(trace, &taken.record, &taken.reading.registers, number);
		else
			add_call(trace, number, &taken, NULL);
	}
	return true;
}

// ---- Reading

static bool merge_sum(struct ic_trace *trace, const struct ic_bytes *key,
		      const struct ic_trace_sum *sum, const uint64_t *buckets)
{
	struct ic_trace_sums *read = &trace->groups.read;
	uint32_t number;

	if (!ic_trace_sums_find(trace, read, key, sum->copy, &number))
		return false;
	if (number == IC_NONE)
		read->left_out += sum->count;
	else
		ic_trace_sum_add(&read->list.items[number],
				 ic_trace_sums_buckets(trace, read, number), sum, buckets);
	return true;
}

static bool merge_followed(struct ic_trace *trace)
{
	struct ic_trace_sums *followed = &trace->groups.followed;
	bool ok = true;

	for (uint32_t i = 0; ok && i < followed->list.count; i++) {
		const struct ic_bytes key = ic_byte_pool_get(&followed->by_key.keys, i);
		if (followed->list.items[i].count > 0)
			ok = merge_sum(trace, &key, &followed->list.items[i],
				       ic_trace_sums_buckets(trace, followed, i));
	}
	trace->groups.read.left_out += followed->left_out;
	return ok;
}

// Merges a group of the kernel's table. The epoch is cleared, because the reader's keys have none.
static bool merge_kernel(struct ic_trace *trace, uint8_t *key, const uint8_t *value)
{
	const struct ic_bytes bytes = { key, trace->layout.key_size };
	struct ic_trace_group_sums sums;
	const uint32_t no_epoch = 0;

	memcpy(&sums, value, sizeof(sums));
	memcpy(key, &no_epoch, sizeof(no_epoch));
	struct ic_trace_group_key head;
	memcpy(&head, key, sizeof(head));
	// A group that is just being added does not have its first copy yet.
	uint64_t copy = sums.copy > 0 ? sums.copy - 1 : head.place;
	if (copy >= trace->items.count)
		return true;
	const struct ic_trace_sum sum = {
		.count = sums.count,
		.measured = sums.measured,
		.low = sums.low,
		.high = sums.high,
		.most = sums.most,
		.not_least = sums.not_least,
		.copy = (uint32_t)copy,
	};
	trace->groups.contended += sums.contended;
	return merge_sum(trace, &bytes, &sum, (const void *)(value + sizeof(sums)));
}

// Collects the keys of the table, which may change meanwhile.
static uint32_t collect_keys(const struct ic_trace *trace, uint8_t *keys, uint32_t most)
{
	uint32_t size = trace->layout.key_size, count = 0;

	while (count < most &&
	       ic_bpf_table_next(trace->shape.maps.groups,
				 count > 0 ? keys + (size_t)(count - 1) * size : NULL,
				 keys + (size_t)count * size))
		count++;
	return count;
}

static bool read_table(struct ic_trace *trace, uint32_t epoch, bool remove)
{
	int table = trace->shape.maps.groups;
	uint32_t size = trace->layout.key_size, most = ic_trace_table_size(trace);
	uint8_t *keys = ic_items_alloc(most, size), *value = malloc(trace->layout.sums_size);
	bool ok = keys && value;
	uint32_t count = ok ? collect_keys(trace, keys, most) : 0;

	for (uint32_t i = 0; ok && i < count; i++) {
		uint8_t *key = keys + (size_t)i * size;
		uint32_t of_key;
		memcpy(&of_key, key, sizeof(of_key));
		// A program that had to wait may have added a call to a group of an earlier epoch
		// after that was read.
		if (of_key > epoch || !ic_bpf_table_get(table, key, value))
			continue;
		if (remove)
			ic_bpf_table_remove(table, key);
		ok = merge_kernel(trace, key, value);
	}
	free(keys);
	free(value);
	return ok;
}

static uint64_t count_left_out(const struct ic_trace *trace)
{
	uint64_t count = 0;

	for (uint32_t i = 0; trace->counted && i < trace->items.count; i++)
		count += __atomic_load_n(&ic_trace_data(trace, trace->counted, i)->ungrouped,
					 __ATOMIC_RELAXED);
	return count;
}

struct ranked { // a group, for sorting
	uint32_t number;
	long double rank; // the largest first
	uint64_t count;
	struct ic_bytes key; // for groups that are otherwise equal
};

static int compare_ranks(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	size_t size = left->key.size < right->key.size ? left->key.size : right->key.size;
	int order = memcmp(left->key.data, right->key.data, size);
	return order ? order : left->key.size < right->key.size ? -1 : 1;
}

static long double number_of(const struct ic_trace_sum *sum, uint64_t number)
{
	return sum->is_signed ? (long double)(int64_t)number : (long double)number;
}

static long double rank_of(const struct ic_trace *trace, const struct ic_trace_sum *sum)
{
	enum ic_trace_order order = trace->groups.sort;

	if (order == IC_TRACE_ORDER_COUNT)
		return (long double)sum->count;
	if (sum->measured == 0)
		return -HUGE_VALL; // last
	switch (order) {
	case IC_TRACE_ORDER_SUM: return ic_trace_sum_mean(sum) * (long double)sum->measured;
	case IC_TRACE_ORDER_MEAN: return ic_trace_sum_mean(sum);
	case IC_TRACE_ORDER_LEAST: return -number_of(sum, ic_trace_sum_least(sum));
	default: return number_of(sum, ic_trace_sum_most(sum));
	}
}

// Sorts what was read, and adds it all up.
static bool sort_groups(struct ic_trace *trace)
{
	struct ic_trace_groups *groups = &trace->groups;
	uint32_t count = groups->read.list.count;
	struct ranked *ranks = ic_items_alloc(count + 1ull, sizeof(*ranks));

	if (!ranks || !IC_ARRAY_RESERVE(&groups->order, count)) {
		free(ranks);
		return false;
	}
	groups->all = (struct ic_trace_sum){ .is_signed = groups->is_signed };
	memset(groups->all_buckets, 0, sizeof(groups->all_buckets));
	for (uint32_t i = 0; i < count; i++) {
		const struct ic_trace_sum *sum = &groups->read.list.items[i];
		ranks[i] = (struct ranked){ i, rank_of(trace, sum), sum->count,
					    ic_byte_pool_get(&groups->read.by_key.keys, i) };
		ic_trace_sum_add(&groups->all, groups->has_buckets ? groups->all_buckets : NULL,
				 sum, ic_trace_sums_buckets(trace, &groups->read, i));
	}
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	for (uint32_t i = 0; i < count; i++)
		groups->order.items[i] = ranks[i].number;
	groups->order.count = count;
	free(ranks);
	return true;
}

bool ic_trace_groups_read(struct ic_trace *trace, bool restart, struct ic_modules *modules,
			  struct ic_error *err)
{
	const struct timespec settle = { .tv_nsec = SETTLE_NANOSECONDS };
	struct ic_trace_groups *groups = &trace->groups;
	uint32_t epoch = groups->epoch;
	struct ic_error unwanted;

	if (!err)
		err = &unwanted;
	if (trace->keys.count == 0)
		return ic_fail(err, IC_ERROR_ARGUMENT, "the trace adds nothing up");
	if (restart && trace->counted) {
		ic_trace_epoch_set(trace, epoch + 1);
		nanosleep(&settle, NULL);
	}
	if (!ic_trace_groups_follow(trace, modules, err))
		return false;
	ic_trace_sums_free(&groups->read);
	groups->contended = 0;
	uint64_t left_out = count_left_out(trace);
	groups->read.left_out = left_out - groups->left_out_before;
	bool ok = merge_followed(trace) &&
		  (!trace->shape.grouping.is_on || trace->shape.maps.groups < 0 ||
		   read_table(trace, epoch, restart)) &&
		  sort_groups(trace);
	if (restart) {
		groups->left_out_before = left_out;
		if (trace->exits.count > 0) // calls that have not ended know their sums
			ic_trace_sums_reset(&groups->followed);
		else
			ic_trace_sums_free(&groups->followed);
	}
	return ok || ic_fail_memory(err);
}

void ic_trace_groups_free(struct ic_trace *trace)
{
	ic_trace_sums_free(&trace->groups.followed);
	ic_trace_sums_free(&trace->groups.read);
	IC_ARRAY_FREE(&trace->groups.order);
}
