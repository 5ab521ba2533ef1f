#include "tables/inline_table.h"

#include <stdlib.h>

#include "read/pc.h"
#include "tables/inline_builder.h"

static const char section[] = ".BTF.inline";

// Limits the copies at one address that count as nested in each other. In practice they are few,
// and a result contains all those around a copy.
enum { MOST_AT_ENTRY = 64 };

static const char *const lack_texts[IC_LACK_COUNT] = {
	[IC_LACK_BASE] = "calls without an address: the base of their offsets is unknown",
	[IC_LACK_SYMBOL] = "calls without an address: no symbol has the name of their caller",
	[IC_LACK_ONE] = "calls without an address: several functions have the name of their caller",
	[IC_LACK_CODE] = "calls without an address: it would be outside the code of their caller",
	[IC_LACK_FUNCTION] = "calls are skipped: their callee is not a function",
	[IC_LACK_VOID] = "calls are to functions that are not in BTF",
	[IC_LACK_SOUND] = "calls are damaged, or do not match the BTF types",
	[IC_LACK_NESTING] = "calls are not shown at their address: too many share it",
};

// ---- Addresses

// Finds the entry of a call in the RFC's format.
static void resolve_call(struct ic_inline_builder *builder, struct ic_inline_call *call)
{
	const struct ic_callers *callers = &builder->callers;
	const struct ic_caller *caller = &callers->list.items[call->caller];
	struct ic_btf_call record;

	if (caller->start == IC_NONE) {
		ic_inline_lack(builder, caller->count > 0 ? IC_LACK_ONE : IC_LACK_SYMBOL,
			       call->number, call->caller);
		return;
	}
	ic_btf_call_read(builder->table, call->number, &record);
	const struct ic_range *start = &callers->code.items[caller->start].range;
	uint64_t entry = start->start + (uint64_t)(int64_t)(int32_t)record.offset;
	bool has_size = start->end > start->start;
	if (ic_pc_is_code(&builder->stream->reader, entry) &&
	    (!has_size || ic_callers_at(callers, call->caller, entry)))
		call->entry = entry;
	else
		ic_inline_lack(builder, IC_LACK_CODE, call->number, call->caller);
}

// ---- Instances

static uint32_t push_instance(struct ic_inline_builder *builder, const struct ic_instance *instance)
{
	struct ic_instance *place = IC_ARRAY_PUSH(&builder->stream->built.instances);

	if (!place)
		return IC_NONE;
	*place = *instance;
	return builder->stream->built.instances.count - 1;
}

static bool push_range(struct ic_inline_builder *builder, struct ic_instance *instance,
		       struct ic_range range)
{
	struct ic_reader *reader = &builder->stream->reader;

	if (range.start >= range.end || !ic_pc_is_code(reader, range.start))
		return true;
	struct ic_range *place = IC_ARRAY_PUSH(&reader->ranges);
	if (!place)
		return false;
	*place = range;
	instance->range_count++;
	return true;
}

static struct ic_instance host_of(const struct ic_inline_builder *builder, uint32_t caller)
{
	return (struct ic_instance){ .entry = IC_NO_ADDR,
				     .function = builder->functions.items[caller],
				     .parent = IC_NONE,
				     .die_off = builder->table->record_count +
						builder->stream->built.instances.count,
				     .first_range = builder->stream->reader.ranges.count,
				     .call_file = IC_NONE,
				     .kind = IC_INSTANCE_HOST };
}

// Adds a caller's out-of-line copies, one per symbol. A cold part belongs to the copy at the
// caller's entry.
static bool add_hosts(struct ic_inline_builder *builder, uint32_t number)
{
	const struct ic_caller *caller = &builder->callers.list.items[number];
	const struct ic_caller_code *codes = builder->callers.code.items;

	for (uint32_t i = caller->first; i < caller->first + caller->count; i++) {
		if (codes[i].part == CALLER_COLD && caller->start != IC_NONE) {
			builder->host_of[i] = builder->host_of[caller->start];
			continue;
		}
		struct ic_instance host = host_of(builder, number);
		if (ic_pc_is_code(&builder->stream->reader, codes[i].range.start))
			host.entry = codes[i].range.start;
		bool ok = push_range(builder, &host, codes[i].range);
		for (uint32_t j = caller->first + caller->count; ok && i == caller->start &&
								 j-- > caller->first &&
								 codes[j].part == CALLER_COLD;)
			ok = push_range(builder, &host, codes[j].range);
		builder->host_of[i] = ok ? push_instance(builder, &host) : IC_NONE;
		if (builder->host_of[i] == IC_NONE)
			return false;
	}
	builder->hosts.items[number] = caller->count > 0 ? builder->host_of[caller->first]
							 : IC_NONE;
	return true;
}

static bool add_all_hosts(struct ic_inline_builder *builder)
{
	uint32_t count = builder->callers.list.count;

	builder->host_of =
		ic_items_alloc(builder->callers.code.count + 1ull, sizeof(*builder->host_of));
	if (!builder->host_of || !IC_ARRAY_RESERVE(&builder->hosts, count + 1ull))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!add_hosts(builder, i))
			return false;
	return true;
}

// Finds the host of a call; if its caller has no symbol, adds one without code.
static bool find_host(struct ic_inline_builder *builder, const struct ic_inline_call *call,
		      uint32_t *host)
{
	const struct ic_caller_code *code = NULL;

	*host = IC_NONE;
	if (call->caller == IC_NONE)
		return true;
	if (call->entry != IC_NO_ADDR)
		code = ic_callers_at(&builder->callers, call->caller, call->entry);
	*host = code ? builder->host_of[code - builder->callers.code.items]
		     : builder->hosts.items[call->caller];
	if (*host != IC_NONE)
		return true;
	const struct ic_instance without_code = host_of(builder, call->caller);
	*host = builder->hosts.items[call->caller] = push_instance(builder, &without_code);
	return *host != IC_NONE;
}

// If several copies have the same entry, each counts as nested in the previous one: producers that
// know list the outer ones first. Sets the parent to that one, if there is one.
static bool nest_call(struct ic_inline_builder *builder, const struct ic_inline_call *call,
		      uint32_t *parent)
{
	const struct ic_instance *instances = builder->stream->built.instances.items;
	uint32_t *last = ic_map_at(&builder->last_at, call->entry), depth = 0, host = *parent;

	if (!last)
		return false;
	uint32_t around = *last;
	for (; around != IC_NONE && instances[around].kind == IC_INSTANCE_INLINED; depth++)
		around = instances[around].parent;
	if (*last != IC_NONE && around != host)
		return true;
	if (depth == MOST_AT_ENTRY) {
		ic_inline_lack(builder, IC_LACK_NESTING, call->number, call->caller);
		return true;
	}
	if (*last != IC_NONE)
		*parent = *last;
	*last = builder->stream->built.instances.count; // the one that is pushed next
	return true;
}

static bool add_instance(struct ic_inline_builder *builder, const struct ic_inline_call *call)
{
	struct ic_instance instance = { .entry = call->entry,
					.function = call->function,
					.die_off = call->number,
					.first_range = builder->stream->reader.ranges.count,
					.call_file = IC_NONE,
					.kind = IC_INSTANCE_INLINED };

	if (!find_host(builder, call, &instance.parent))
		return false;
	if (call->entry != IC_NO_ADDR &&
	    (!nest_call(builder, call, &instance.parent) ||
	     !push_range(builder, &instance, (struct ic_range){ call->entry, call->entry + 1 })))
		return false;
	return push_instance(builder, &instance) != IC_NONE;
}

static bool add_instances(struct ic_inline_builder *builder)
{
	bool has_callers = ic_btf_inline_format(builder->table) == IC_BTF_INLINE_RFC;

	for (uint32_t i = 0; i < builder->calls.count; i++) {
		struct ic_inline_call *call = &builder->calls.items[i];
		if (call->caller != IC_NONE && has_callers)
			resolve_call(builder, call);
		if (!add_instance(builder, call))
			return false;
	}
	return true;
}

// ---- The unit

static void report_lack(const struct ic_inline_builder *builder, enum ic_lack lack)
{
	const char *name = builder->lacks[lack].name;
	struct ic_error err;

	if (builder->lacks[lack].count == 0)
		return;
	ic_fail_at(&err, section, builder->lacks[lack].first_off, "%s%s%s%s; %u in all",
		   lack_texts[lack], name ? ", for example '" : "", name ? name : "",
		   name ? "'" : "", builder->lacks[lack].count);
	ic_reader_problem(&builder->stream->reader, builder->lacks[lack].first_off, &err);
}

// After a damaged record, the next ones are read from the wrong offset.
static void report_strange(const struct ic_inline_builder *builder)
{
	uint64_t off = builder->table->info_off; // 0 for BTF kinds
	struct ic_error err;

	ic_fail_at(&err, section, off,
		   "calls refer to missing types or locations: they are damaged, or do not match "
		   "the BTF types");
	ic_reader_problem(&builder->stream->reader, off, &err);
}

static bool build_all(struct ic_inline_builder *builder, struct ic_error *err)
{
	const struct ic_read_context *context = builder->stream->reader.context;
	bool has_callers = ic_btf_inline_format(builder->table) == IC_BTF_INLINE_RFC;

	if (!has_callers &&
	    !ic_image_symbols(builder->image, SYMTAB_INNERMOST, context->want.jobs,
			      &builder->symbols, err) &&
	    !builder->symbols)
		return false;
	if (builder->symbols)
		builder->symbols->expect(builder->symbols, builder->table->record_count);
	if (!ic_inline_calls_list(builder))
		return ic_fail_memory(err);
	return ic_callers_find(&builder->callers, builder->image, err) &&
	       ((add_all_hosts(builder) && add_instances(builder)) || ic_fail_memory(err));
}

static void build_unit(struct ic_stream *stream)
{
	const struct ic_inline_table *source =
		(const struct ic_inline_table *)stream->reader.unit->dwarf;
	struct ic_memory *memory = stream->built.instances.memory;
	struct ic_inline_builder builder = { .stream = stream,
					     .image = source->image,
					     .table = source->table };
	struct ic_error err;

	builder.calls.memory = builder.functions.memory = builder.hosts.memory = memory;
	builder.callers.list.memory = builder.callers.code.memory = memory;
	if (!build_all(&builder, &err)) {
		stream->reader.out_of_memory |= err.code == IC_ERROR_MEMORY;
		ic_reader_problem(&stream->reader, 0, &err);
	}
	stream->reader.out_of_memory |= builder.callers.out_of_memory;
	for (enum ic_lack lack = IC_LACK_BASE; lack < IC_LACK_COUNT; lack++)
		report_lack(&builder, lack);
	if (builder.is_strange)
		report_strange(&builder);
	free(builder.wanted);
	free(builder.host_of);
	IC_ARRAY_FREE(&builder.calls);
	IC_ARRAY_FREE(&builder.functions);
	IC_ARRAY_FREE(&builder.hosts);
	ic_map_free(&builder.last_at);
	ic_callers_free(&builder.callers);
}

static bool list_units(struct ic_unit_list *list, const struct ic_dwarf *dwarf,
		       struct ic_error *err)
{
	struct ic_unit *unit = IC_ARRAY_PUSH(&list->units);

	if (!unit)
		return ic_fail_memory(err);
	*unit = (struct ic_unit){
		.dwarf = dwarf, .end_off = dwarf->info.size, .version = 2, .addr_size = 8
	};
	return true;
}

const struct ic_unit_source ic_unit_source_inline_table = {
	.has_dies = false,
	.has_only_entries = true,
	.list = list_units,
	.build = build_unit,
};

void ic_inline_table_init(struct ic_inline_table *inline_table, struct ic_image *image,
			  const struct ic_btf_inline *table)
{
	*inline_table = (struct ic_inline_table){
		.dwarf = { .info = table->bytes,
			   .info_name = section,
			   .source = &ic_unit_source_inline_table },
		.table = table,
		.image = image,
	};
}
