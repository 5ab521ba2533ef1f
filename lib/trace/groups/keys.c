#include "trace/groups/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_pool.h"
#include "base/error.h"
#include "query/find/sites.h"

// ---- Reading

static const char *const words[] = {
	[IC_TRACE_KEY_FUNCTION] = "function", [IC_TRACE_KEY_HOST] = "host",
	[IC_TRACE_KEY_CALL] = "call",         [IC_TRACE_KEY_COPY] = "copy",
	[IC_TRACE_KEY_PID] = "pid",           [IC_TRACE_KEY_TID] = "tid",
	[IC_TRACE_KEY_CPU] = "cpu",           [IC_TRACE_KEY_COMMAND] = "comm",
	[IC_TRACE_KEY_STACK] = "stack",
};

// What a name means if it is not an argument's; IC_TRACE_KEY_ARGUMENT if nothing.
static enum ic_trace_key_kind find_word(const char *name)
{
	for (size_t i = IC_TRACE_KEY_FUNCTION; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(name, words[i]) == 0)
			return (enum ic_trace_key_kind)i;
	return IC_TRACE_KEY_ARGUMENT;
}

static bool add_key(struct ic_trace_keys *keys, const char *text, size_t length,
		    struct ic_error *err)
{
	bool must_be_word = *text == '@';
	size_t number = keys->count;

	if (length <= must_be_word || length >= IC_TRACE_TERM_TEXT)
		return ic_fail(err, IC_ERROR_ARGUMENT, "by '%.*s': %s", (int)length, text,
			       length >= IC_TRACE_TERM_TEXT ? "name too long" : "expected a name");
	if (number == IC_TRACE_MOST_KEYS)
		return ic_fail(err, IC_ERROR_ARGUMENT, "by '%.*s': more than %d keys", (int)length,
			       text, IC_TRACE_MOST_KEYS);
	memcpy(keys->names[number], text + must_be_word, length - must_be_word);
	keys->names[number][length - must_be_word] = '\0';
	keys->list[number] = (struct ic_trace_key){ .name = keys->names[number],
						    .kind = find_word(keys->names[number]) };
	keys->is_word[number] = must_be_word;
	if (must_be_word && keys->list[number].kind == IC_TRACE_KEY_ARGUMENT)
		return ic_fail(
			err, IC_ERROR_ARGUMENT,
			"by '%.*s': expected function, host, call, copy, pid, tid, cpu, comm or "
			"stack after '@'",
			(int)length, text);
	keys->count++;
	return true;
}

bool ic_trace_keys_read(const char *text, struct ic_trace_keys *keys, struct ic_error *err)
{
	*keys = (struct ic_trace_keys){ .count = 0 };
	for (;; text++) {
		text += strspn(text, " ");
		size_t length = strcspn(text, ","), used = length;
		while (used > 0 && text[used - 1] == ' ')
			used--;
		if (!add_key(keys, text, used, err))
			return false;
		text += length;
		if (!*text)
			return true;
	}
}

// ---- Members

// Appends the member in an argument's name, "a.b" in "p->a.b", or a list of them.
static void put_members(FILE *out, const char *members)
{
	if (*members)
		fprintf(out, "%s%s", ftell(out) > 0 ? "," : "", members);
}

static void put_member_of(FILE *out, const char *name)
{
	const char *member = strpbrk(name, ".-[");

	if (member)
		put_members(out, *member == '[' ? member : member + strspn(member, ".->"));
}

static void put_members_of(FILE *out, const struct ic_trace_term *term)
{
	put_member_of(out, term->left.name);
	if (term->with == IC_TRACE_WITH_NAME && !strstr(term->right.name, "::"))
		put_member_of(out, term->right.name);
}

bool ic_trace_buffers_check(const char *const *buffers, struct ic_error *err)
{
	for (size_t i = 0; buffers && buffers[i]; i++) {
		const char *comma = strchr(buffers[i], ',');
		if (i == IC_TRACE_MOST_BUFFERS)
			return ic_fail(err, IC_ERROR_ARGUMENT, "more than %d buffers",
				       IC_TRACE_MOST_BUFFERS);
		if (!comma || comma == buffers[i] || !comma[1] || strchr(comma + 1, ',') ||
		    strlen(buffers[i]) >= IC_TRACE_BUFFER_NAME)
			return ic_fail(err, IC_ERROR_ARGUMENT,
				       "'%s' is not a buffer and its length, such as buf,len or "
				       "p->data,p->size",
				       buffers[i]);
	}
	return true;
}

static void put_members_of_buffer(FILE *out, const char *buffer)
{
	char name[IC_TRACE_BUFFER_NAME];
	const char *comma = strchr(buffer, ',');

	snprintf(name, sizeof(name), "%.*s", (int)(comma - buffer), buffer);
	put_member_of(out, name);
	put_member_of(out, comma + 1);
}

char *ic_trace_members(const char *members, const struct ic_trace_options *options,
		       struct ic_error *err)
{
	struct ic_trace_filter read = { .count = 0 };
	struct ic_trace_keys keys = { .count = 0 };
	struct ic_error unwanted;
	char *list = NULL;
	size_t size;

	if (!err)
		err = &unwanted;
	if ((options->filter && !ic_trace_filter_read(options->filter, &read, err)) ||
	    (options->by && !ic_trace_keys_read(options->by, &keys, err)))
		return NULL;
	if (!ic_trace_buffers_check(options->buffers, err))
		return NULL;
	FILE *out = open_memstream(&list, &size);
	if (out) {
		put_members(out, members ? members : "");
		for (uint32_t i = 0; i < read.count; i++)
			put_members_of(out, &read.terms[i]);
		for (size_t i = 0; i < keys.count; i++)
			put_member_of(out, keys.names[i]);
		put_member_of(out, options->measure ? options->measure : "");
		for (size_t i = 0; options->buffers && options->buffers[i]; i++)
			put_members_of_buffer(out, options->buffers[i]);
		if (fclose(out) == 0 && list) // it may be NULL without an error
			return list;
	}
	free(list);
	ic_fail_memory(err);
	return NULL;
}

// ---- Binding

// The type of an argument, from the first copy that has it; NULL if none has.
static const struct ic_trace_type *find_type(const struct ic_trace *trace, const char *name)
{
	for (uint32_t i = 0; i < trace->items.count; i++) {
		size_t number = ic_trace_argument_find(&trace->items.items[i].copy, name);
		if (number != SIZE_MAX)
			return &trace->items.items[i].types[number];
	}
	return NULL;
}

// Whether values can be told apart by their bytes, or added up.
static bool is_number(const struct ic_trace_type *type)
{
	return !type->is_address && type->size <= IC_TRACE_VALUE_SIZE &&
	       type->encoding != IC_TYPE_STRUCTURE && type->encoding != IC_TYPE_ARRAY &&
	       type->encoding != IC_TYPE_VECTOR && type->encoding != IC_TYPE_COMPLEX;
}

// Reports that no copy has an argument with this name, or that its type does not fit.
static bool fail_name(const char *name, const char *what, bool is_found, struct ic_error *err)
{
	if (is_found)
		return ic_fail(err, IC_ERROR_ARGUMENT, "'%s' cannot be %s", name, what);
	return ic_fail(err, IC_ERROR_ARGUMENT,
		       strpbrk(name, ".-[") ? "no argument or member '%s'" : "no argument '%s'",
		       name);
}

static bool is_same_text(const char *left, const char *right)
{
	return left && right ? strcmp(left, right) == 0 : left == right;
}

// Whether equal bytes of two arguments mean equal values.
static bool is_same_type(const struct ic_trace_item *left, size_t of_left,
			 const struct ic_trace_item *right, size_t of_right)
{
	const struct ic_trace_type *type = &left->types[of_left], *other = &right->types[of_right];

	return other->encoding == type->encoding && other->size == type->size &&
	       other->is_signed == type->is_signed && other->is_string == type->is_string &&
	       (!type->enumeration || is_same_text(left->copy.arguments[of_left].type,
						   right->copy.arguments[of_right].type));
}

// Whether an argument has one type at all copies that have it.
static bool has_one_type(const struct ic_trace *trace, const char *name)
{
	const struct ic_trace_item *first = NULL;
	size_t of_first = 0;

	for (uint32_t i = 0; i < trace->items.count; i++) {
		const struct ic_trace_item *item = &trace->items.items[i];
		size_t number = ic_trace_argument_find(&item->copy, name);
		if (number == SIZE_MAX)
			continue;
		if (first && !is_same_type(first, of_first, item, number))
			return false;
		first = item;
		of_first = number;
	}
	return true;
}

static bool fail_types(const char *name, struct ic_error *err)
{
	return ic_fail(err, IC_ERROR_ARGUMENT,
		       "'%s' has several types; select functions that have it with one type", name);
}

static bool bind_measure(struct ic_trace *trace, struct ic_error *err)
{
	const char *name = trace->keys.measure;
	const struct ic_trace_type *type = name ? find_type(trace, name) : NULL;

	if (!name || trace->items.count == 0)
		return true;
	if (!type || !is_number(type) || type->size > 8 || type->encoding == IC_TYPE_FLOAT)
		return fail_name(name, "added up: it is not an integer", type, err);
	trace->groups.is_signed = type->is_signed;
	return has_one_type(trace, name) || fail_types(name, err);
}

bool ic_trace_keys_find(struct ic_trace *trace, struct ic_error *err)
{
	struct ic_trace_keys *keys = &trace->keys;
	struct ic_trace_grouping *grouping = &trace->shape.grouping;

	for (size_t i = 0; i < keys->count; i++) {
		const struct ic_trace_type *type =
			keys->is_word[i] ? NULL : find_type(trace, keys->names[i]);
		if (type) {
			keys->list[i].kind = IC_TRACE_KEY_ARGUMENT;
			keys->arguments[grouping->key_count] = (uint8_t)i;
			grouping->strings |=
				(uint8_t)((unsigned)type->is_string << grouping->key_count++);
		}
		if (keys->list[i].kind == IC_TRACE_KEY_ARGUMENT && trace->items.count > 0 &&
		    (!type || !(type->is_string || is_number(type))))
			return fail_name(keys->names[i], "a key", type, err);
		if (type && !has_one_type(trace, keys->names[i]))
			return fail_types(keys->names[i], err);
		switch (keys->list[i].kind) {
		case IC_TRACE_KEY_PID: grouping->by_pid = true; break;
		case IC_TRACE_KEY_TID: grouping->by_tid = true; break;
		case IC_TRACE_KEY_CPU: grouping->by_cpu = true; break;
		case IC_TRACE_KEY_COMMAND: grouping->by_command = true; break;
		case IC_TRACE_KEY_STACK: keys->has_stack = true; break;
		default: break;
		}
	}
	grouping->is_on = grouping->is_on && !keys->has_stack;
	return bind_measure(trace, err);
}

// Appends those properties of a copy that are keys.
static void put_place(FILE *out, const struct ic_trace_keys *keys, const struct ic_site *site,
		      size_t first)
{
	for (size_t i = 0; i < keys->count; i++) {
		switch (keys->list[i].kind) {
		case IC_TRACE_KEY_FUNCTION:
			fprintf(out, "%s%c%s%c", site->function ? site->function : "", 0,
				site->linkage_name ? site->linkage_name : "", 0);
			break;
		case IC_TRACE_KEY_HOST:
			fprintf(out, "%s%c%s%c", site->host ? site->host : "", 0,
				site->host_linkage_name ? site->host_linkage_name : "", 0);
			break;
		case IC_TRACE_KEY_CALL:
			fprintf(out, "%s%c%u %u", site->call_file ? site->call_file : "", 0,
				site->call_line, site->call_column);
			break;
		case IC_TRACE_KEY_COPY: fprintf(out, "%zu", first); break;
		default: break;
		}
	}
}

// Determines the place of a copy: the number of the first one that it is added up with.
static bool bind_place(struct ic_trace *trace, uint32_t number, struct ic_byte_map *places)
{
	const struct ic_trace_copy *copy = &trace->items.items[number].copy;
	struct ic_site site;
	char *text = NULL;
	size_t size = 0;

	FILE *out = open_memstream(&text, &size);
	if (!out)
		return false;
	ic_sites_get(trace->sites, copy->site, &site);
	put_place(out, &trace->keys, &site, copy->first);
	bool ok = fclose(out) == 0 && text && size < UINT32_MAX;
	uint32_t *place = ok ? ic_byte_map_at(places, text, (uint32_t)size) : NULL;
	free(text);
	if (!place)
		return false;
	if (*place == IC_NONE)
		*place = number;
	ic_trace_data(trace, trace->data, number)->place = *place;
	return true;
}

// The argument of a copy; IC_TRACE_NO_ARGUMENT if it is unavailable. *asks is set if only the
// reader can compute it.
static uint8_t find_argument(const struct ic_trace_item *item, const char *name, bool *asks)
{
	size_t number = name ? ic_trace_argument_find(&item->copy, name) : SIZE_MAX;

	if (number >= IC_TRACE_NO_ARGUMENT || item->copy.arguments[number].why)
		return IC_TRACE_NO_ARGUMENT;
	*asks |= item->types[number].expression || number >= IC_TRACE_MOST_ARGUMENTS;
	return (uint8_t)number;
}

static void bind_arguments(struct ic_trace *trace, uint32_t number)
{
	struct ic_trace_item *item = &trace->items.items[number];
	struct ic_trace_copy_data *data = ic_trace_data(trace, trace->data, number);
	const struct ic_trace_keys *keys = &trace->keys;
	bool asks = false;

	for (uint32_t i = 0; i < trace->shape.grouping.key_count; i++) {
		uint8_t argument = find_argument(item, keys->names[keys->arguments[i]], &asks);
		data->key_arguments[i] = argument;
		data->key_strings[i] =
			trace->shape.grouping.strings >> i & 1 && argument < IC_TRACE_MOST_ARGUMENTS
				? ic_trace_string_offset(&trace->shape, &trace->layout, argument)
				: 0;
	}
	data->measure = find_argument(item, keys->measure, &asks);
	data->is_measure_signed = data->measure != IC_TRACE_NO_ARGUMENT &&
				  item->types[data->measure].is_signed;
	data->leaves_groups = asks;
}

bool ic_trace_keys_bind(struct ic_trace *trace, struct ic_error *err)
{
	struct ic_byte_map places = { .values = { .items = NULL } };
	bool ok = true;

	for (uint32_t i = 0; ok && trace->keys.count > 0 && i < trace->items.count; i++) {
		bind_arguments(trace, i);
		ok = bind_place(trace, i, &places);
	}
	ic_byte_map_free(&places);
	return ok || ic_fail_memory(err);
}
