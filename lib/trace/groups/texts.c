// What groups have in common, and their numbers, as text.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/groups/sums.h"
#include "trace/hits/reading.h"

const struct ic_trace_key *ic_trace_keys(const struct ic_trace *trace, size_t *count)
{
	*count = trace->keys.count;
	return trace->keys.list;
}

// Why a key has no value.
static const char *why_unknown(const struct ic_trace *trace, const struct ic_trace_item *item,
			       uint32_t key, bool is_known)
{
	size_t number = ic_trace_argument_find(&item->copy, trace->keys.names[key]);

	return number < item->copy.argument_count
		       ? ic_trace_why_unknown(item, (uint32_t)number, is_known)
		       : "no such argument";
}

static void spell_string(struct ic_trace *trace, struct ic_trace_spelling *spelling,
			 const uint8_t *bytes, struct ic_trace_spelled *spelled)
{
	size_t room = trace->layout.key_string_room;
	if (bytes[0] == 0 && bytes[1] != 0) { // a null pointer
		spelled->text = ic_trace_text_add(trace, "0x0");
		return;
	}
	size_t length = strnlen((const char *)bytes, room);
	bool is_cut = length + 1 >= room || length > trace->string_size;
	size_t shown = length > trace->string_size ? trace->string_size : length;
	const uint64_t any = 1; // address
	struct ic_trace_spelled whole = { UINT32_MAX, UINT32_MAX, true };

	memcpy(spelling->value.bytes, &any, sizeof(any));
	spelling->value.addr = any;
	spelling->string = (struct ic_trace_string){
		.addr = any, .bytes = bytes, .size = shown, .is_read = true, .is_whole = !is_cut
	};
	ic_trace_value_spell(trace, spelling, &whole);
	const char *text = ic_trace_text_at(trace, whole.text);
	const char *quote = text ? strchr(text, '"') : NULL; // after the address
	if (quote)
		spelled->text = whole.text + (uint32_t)(quote - text);
}

// Spells argument number `number` of a key.
static void spell_argument(struct ic_trace *trace, const struct ic_trace_item *item,
			   uint32_t number, const uint8_t *key, struct ic_trace_spelled *spelled)
{
	const char *name = trace->keys.names[trace->keys.arguments[number]];
	size_t argument = ic_trace_argument_find(&item->copy, name);
	const uint8_t *bytes = key + ic_trace_key_offset(&trace->shape, &trace->layout, number);
	struct ic_trace_group_key head;

	memcpy(&head, key, sizeof(head));
	if (!(head.known >> number & 1) || argument >= item->copy.argument_count)
		return;
	spelled->is_known = true;
	const struct ic_trace_type *type = &item->types[argument];
	struct ic_trace_spelling spelling = { .argument = &item->copy.arguments[argument],
					      .type = type };
	spelling.value.has_bytes = !type->is_address;
	spelling.value.has_addr = type->is_address;
	if (trace->shape.grouping.strings >> number & 1) {
		spell_string(trace, &spelling, bytes, spelled);
		return;
	}
	memcpy(spelling.value.bytes, bytes, IC_TRACE_VALUE_SIZE);
	spelling.value.addr = ic_value_number(bytes, 8, IC_HOST_IS_BIG_ENDIAN);
	ic_trace_value_spell(trace, &spelling, spelled);
}

static void spell_number(struct ic_trace *trace, uint64_t number, struct ic_trace_spelled *spelled)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	spelled->text = spelled->number = ic_trace_text_add(trace, text);
}

static void spell_text(struct ic_trace *trace, const char *text, size_t size,
		       struct ic_trace_spelled *spelled)
{
	char *copy = strndup(text, size);

	if (copy)
		spelled->text = ic_trace_text_add(trace, copy);
	free(copy);
}

static void spell_key(struct ic_trace *trace, const struct ic_trace_item *item, uint32_t number,
		      const struct ic_bytes *key, struct ic_trace_spelled *spelled)
{
	size_t size = trace->layout.key_size;
	struct ic_trace_group_key head;
	uint32_t argument = 0;

	memcpy(&head, key->data, sizeof(head));
	switch (trace->keys.list[number].kind) {
	case IC_TRACE_KEY_PID: spell_number(trace, head.pid, spelled); break;
	case IC_TRACE_KEY_TID: spell_number(trace, head.tid, spelled); break;
	case IC_TRACE_KEY_CPU: spell_number(trace, head.cpu, spelled); break;
	case IC_TRACE_KEY_COMMAND:
		spell_text(trace, head.command, sizeof(head.command), spelled);
		break;
	case IC_TRACE_KEY_STACK:
		spell_text(trace, (const char *)key->data + size, key->size - size, spelled);
		break;
	case IC_TRACE_KEY_ARGUMENT:
		while (trace->keys.arguments[argument] != number)
			argument++;
		spell_argument(trace, item, argument, key->data, spelled);
		break;
	default: break;
	}
}

// Offsets of texts of a sum's numbers; UINT32_MAX for none.
struct numbers {
	uint32_t sum, mean, least, most;
};

static uint32_t add_number(struct ic_trace *trace, const struct ic_trace_sum *sum, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), sum->is_signed ? "%" PRId64 : "%" PRIu64, number);
	return ic_trace_text_add(trace, text);
}

static struct numbers add_numbers(struct ic_trace *trace, const struct ic_trace_sum *sum)
{
	struct numbers numbers = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX };
	char text[IC_TRACE_SUM_TEXT];

	if (sum->measured == 0)
		return numbers;
	ic_trace_sum_text(sum, text);
	numbers.sum = ic_trace_text_add(trace, text);
	snprintf(text, sizeof(text), "%.2Lf", ic_trace_sum_mean(sum));
	numbers.mean = ic_trace_text_add(trace, text);
	numbers.least = add_number(trace, sum, ic_trace_sum_least(sum));
	numbers.most = add_number(trace, sum, ic_trace_sum_most(sum));
	return numbers;
}

// Fills in all but the keys. Texts must not be added after this.
static struct ic_trace_group group_of(const struct ic_trace *trace, const struct ic_trace_sum *sum,
				      const struct numbers *numbers, const uint64_t *buckets)
{
	return (struct ic_trace_group){
		.copy = sum->copy,
		.count = sum->count,
		.measured = sum->measured,
		.sum = ic_trace_text_at(trace, numbers->sum),
		.mean = ic_trace_text_at(trace, numbers->mean),
		.least = ic_trace_text_at(trace, numbers->least),
		.most = ic_trace_text_at(trace, numbers->most),
		.buckets = buckets,
		.negative_buckets = buckets ? buckets + IC_TRACE_POWERS : NULL,
	};
}

bool ic_trace_group_get(struct ic_trace *trace, size_t number, struct ic_trace_group *group)
{
	struct ic_trace_groups *groups = &trace->groups;
	struct ic_trace_spelled spelled[IC_TRACE_MOST_KEYS];

	if (number >= groups->order.count ||
	    !IC_ARRAY_RESERVE(&trace->last.values, IC_TRACE_MOST_KEYS))
		return false;
	uint32_t index = groups->order.items[number];
	const struct ic_trace_sum *sum = &groups->read.list.items[index];
	const struct ic_trace_item *item = &trace->items.items[sum->copy];
	const struct ic_bytes key = ic_byte_pool_get(&groups->read.by_key.keys, index);
	trace->last.texts.count = 0;
	for (uint32_t i = 0; i < trace->keys.count; i++) {
		spelled[i] = (struct ic_trace_spelled){ UINT32_MAX, UINT32_MAX, false };
		spell_key(trace, item, i, &key, &spelled[i]);
	}
	struct numbers numbers = add_numbers(trace, sum);
	*group = group_of(trace, sum, &numbers, ic_trace_sums_buckets(trace, &groups->read, index));
	for (uint32_t i = 0; i < trace->keys.count; i++) {
		bool is_argument = trace->keys.list[i].kind == IC_TRACE_KEY_ARGUMENT;
		trace->last.values.items[i] = (struct ic_trace_value){
			.text = ic_trace_text_at(trace, spelled[i].text),
			.number = ic_trace_text_at(trace, spelled[i].number),
			.why = is_argument && spelled[i].text == UINT32_MAX
				       ? why_unknown(trace, item, i, spelled[i].is_known)
				       : NULL,
		};
	}
	group->keys = trace->last.values.items;
	return true;
}

struct ic_trace_totals ic_trace_groups_totals(struct ic_trace *trace)
{
	struct ic_trace_groups *groups = &trace->groups;

	trace->last.texts.count = 0;
	struct numbers numbers = add_numbers(trace, &groups->all);
	return (struct ic_trace_totals){
		.groups = groups->order.count,
		.are_durations = !trace->shape.grouping.is_on,
		.measure = trace->keys.measure,
		.order = groups->sort,
		.all = group_of(trace, &groups->all, &numbers,
				groups->has_buckets ? groups->all_buckets : NULL),
		.left_out = groups->read.left_out,
		.contended = groups->contended,
	};
}
