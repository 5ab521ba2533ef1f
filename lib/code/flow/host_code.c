#include "code/flow/host_code.h"

#include <stdlib.h>
#include <string.h>

#include "text/text.h"

enum { STEPS_PER_NODE = 256, LEAST_STEPS = 1 << 20, SEARCHES_PER_COPY = 1024 };

static void allow_searches(struct ic_host_code *code)
{
	code->searches = LEAST_STEPS +
			 (uint64_t)SEARCHES_PER_COPY * (code->lasts.items[code->host] - code->host);
}

bool ic_host_code_enter(struct ic_host_code *code, uint32_t unit_number, uint32_t host)
{
	const struct ic_unit_model *unit = &code->function.index->units[unit_number];

	code->is_read = false;
	code->family = code->copy = IC_NONE;
	code->host = host;
	code->by_function.count = 0;
	if (code->unit == unit) {
		allow_searches(code);
		return true;
	}
	code->unit = unit;
	code->unit_number = unit_number;
	code->hosts.count = code->lasts.count = 0;
	if (!IC_ARRAY_RESERVE(&code->hosts, unit->instance_count) ||
	    !IC_ARRAY_RESERVE(&code->lasts, unit->instance_count)) {
		code->unit = NULL;
		return false;
	}
	for (uint32_t i = 0; i < unit->instance_count; i++) {
		uint32_t of = ic_instance_host(unit, i, code->hosts.items);
		*IC_ARRAY_PUSH(&code->hosts) = of;
		*IC_ARRAY_PUSH(&code->lasts) = i;
		if (of != IC_NONE)
			code->lasts.items[of] = i;
	}
	allow_searches(code);
	return true;
}

bool ic_host_code_search(struct ic_host_code *code, uint64_t count)
{
	bool is_left = code->searches >= count;

	code->searches = is_left ? code->searches - count : 0;
	return is_left;
}

// ---- The copies of a function

static uint32_t depth_of(const struct ic_unit_model *unit, uint32_t number)
{
	uint32_t depth = 0;

	while ((number = unit->instances[number].parent) != IC_NONE)
		depth++;
	return depth;
}

uint32_t ic_host_code_first_empty(const struct ic_unit_model *unit, uint32_t instance)
{
	uint32_t first = 0, end = unit->empty_range_count;

	while (first < end) {
		uint32_t middle = first + (end - first) / 2;
		if (unit->empty_ranges[middle].instance < instance)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static bool add_start(struct ic_host_code *code, uint64_t addr, uint32_t instance, uint32_t depth)
{
	struct ic_copy_start *start = IC_ARRAY_PUSH(&code->starts);

	if (start)
		*start = (struct ic_copy_start){ addr, instance, depth,
						 addr == code->unit->instances[instance].entry };
	return start != NULL;
}

static bool add_starts(struct ic_host_code *code, uint32_t number)
{
	const struct ic_unit_model *unit = code->unit;
	const struct ic_instance *instance = &unit->instances[number];
	uint32_t depth = depth_of(unit, number);
	bool ok = instance->entry == IC_NO_ADDR || add_start(code, instance->entry, number, depth);

	for (uint32_t i = 0; ok && i < instance->range_count; i++)
		ok = add_start(code, unit->ranges[instance->first_range + i].start, number, depth);
	for (uint32_t i = ic_host_code_first_empty(unit, number);
	     ok && i < unit->empty_range_count && unit->empty_ranges[i].instance == number; i++)
		ok = add_start(code, unit->empty_ranges[i].addr, number, depth);
	return ok;
}

static int compare_starts(const void *left, const void *right)
{
	const struct ic_copy_start *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->is_entry != b->is_entry)
		return a->is_entry ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth > b->depth ? -1 : 1;
	return (a->instance < b->instance) - (a->instance > b->instance);
}

// Sorts the starts and removes duplicates.
static void order_starts(struct ic_host_code *code)
{
	struct ic_copy_start *items = code->starts.items;
	uint32_t kept = 0;

	if (code->starts.count > 1)
		qsort(items, code->starts.count, sizeof(*items), compare_starts);
	for (uint32_t i = 0; i < code->starts.count; i++)
		if (kept == 0 || items[kept - 1].addr != items[i].addr ||
		    items[kept - 1].instance != items[i].instance)
			items[kept++] = items[i];
	code->starts.count = kept;
}

typedef IC_ARRAY(struct ic_layer) layer_list;

// Later instances are inside earlier ones, or siblings.
static bool add_layers(struct ic_host_code *code, uint32_t number, layer_list *layers)
{
	const struct ic_instance *instance = &code->unit->instances[number];

	for (uint32_t i = 0; i < instance->range_count; i++) {
		struct ic_layer *layer = IC_ARRAY_PUSH(layers);
		if (!layer)
			return false;
		*layer = (struct ic_layer){
			.range = code->unit->ranges[instance->first_range + i],
			.rank = UINT32_MAX - depth_of(code->unit, number),
			.owner = number,
		};
	}
	return true;
}

// Functions nested in the host have copies of their own.
static bool order_copies(struct ic_host_code *code)
{
	for (uint32_t i = code->host + 1; i <= code->lasts.items[code->host]; i++) {
		const struct ic_instance *instance = &code->unit->instances[i];
		if (code->hosts.items[i] != code->host || instance->kind != IC_INSTANCE_INLINED ||
		    instance->range_count == 0)
			continue;
		if (!IC_ARRAY_ADD(&code->by_function, (struct ic_keyed){ instance->function, i }))
			return false;
	}
	return ic_keyed_sort(code->by_function.items, code->by_function.count);
}

static bool gather_layers(struct ic_host_code *code, layer_list *layers)
{
	const struct ic_keyed *copies;
	uint32_t count;

	if (code->by_function.count == 0 && !order_copies(code))
		return false;
	copies = code->by_function.items;
	count = code->by_function.count;
	for (uint32_t i = ic_keyed_find(copies, count, code->family);
	     i < count && copies[i].key == code->family; i++)
		if (!add_starts(code, copies[i].number) ||
		    !add_layers(code, copies[i].number, layers))
			return false;
	return true;
}

static bool find_family(struct ic_host_code *code, uint32_t function)
{
	layer_list layers = { .items = NULL };

	code->family = function;
	code->marks = IC_MARKS_NOT_SOUGHT;
	code->starts.count = 0;
	ic_arena_free(&code->arena);
	bool ok = gather_layers(code, &layers) &&
		  ic_segments_build(&code->copies, layers.items, layers.count, &code->arena);
	order_starts(code);
	IC_ARRAY_FREE(&layers);
	if (!ok)
		code->family = IC_NONE;
	return ok;
}

bool ic_host_code_choose(struct ic_host_code *code, uint32_t number, bool is_left_out)
{
	const struct ic_instance *instance = &code->unit->instances[number];

	if (code->family != instance->function && !find_family(code, instance->function))
		return false;
	code->copy = number;
	code->is_left_out = is_left_out;
	code->why_not = NULL;
	code->ranges.count = 0;
	if (!IC_ARRAY_RESERVE(&code->ranges, instance->range_count))
		return false;
	for (uint32_t i = 0; i < instance->range_count; i++)
		*IC_ARRAY_PUSH(&code->ranges) = code->unit->ranges[instance->first_range + i];
	code->own = ic_range_set_build(code->ranges.items, code->ranges.count);
	return true;
}

// ---- The flow

static bool order_nodes(struct ic_host_code *code)
{
	const struct ic_flow *flow = &code->function.flow;

	code->nodes.count = 0;
	if (!IC_ARRAY_RESERVE(&code->nodes, flow->nodes.count))
		return false;
	for (uint32_t i = 0; i < flow->nodes.count; i++)
		*IC_ARRAY_PUSH(&code->nodes) =
			(struct ic_keyed){ flow->nodes.items[i].instruction.addr, i };
	return ic_keyed_sort(code->nodes.items, code->nodes.count);
}

static const char *find_why_not(const struct ic_host_code *code)
{
	if (code->function.fault.code != IC_ERROR_NONE)
		return code->function.fault.message;
	const struct ic_instance *host = &code->unit->instances[code->host];
	uint64_t start = host->entry != IC_NO_ADDR ? host->entry
						   : code->unit->ranges[host->first_range].start;
	if (ic_image_code_at(code->function.image, start).size == 0)
		return "its code is not in the file";
	return NULL;
}

static bool read_host(struct ic_host_code *code)
{
	code->is_read = true;
	code->host_why_not = find_why_not(code);
	if (code->host_why_not)
		return true;
	if (!ic_function_flow_read(&code->function, code->unit_number, code->host, &code->fault)) {
		code->host_why_not = code->fault.message;
		return code->fault.code == IC_ERROR_LIMIT;
	}
	code->steps = LEAST_STEPS + STEPS_PER_NODE * (uint64_t)code->function.flow.nodes.count;
	return order_nodes(code);
}

bool ic_host_code_read(struct ic_host_code *code)
{
	bool ok = code->is_left_out || code->is_read || read_host(code);

	code->why_not = code->is_left_out
				? "there are too many copies; only the first were searched"
				: code->host_why_not;
	return ok;
}

const struct ic_instance *ic_host_code_copy(const struct ic_host_code *code)
{
	return &code->unit->instances[code->copy];
}

const struct ic_function *ic_host_code_function(const struct ic_host_code *code, uint32_t instance)
{
	uint32_t number = code->unit->instances[instance].function;

	return number == IC_NONE ? NULL : &code->unit->functions[number];
}

bool ic_entry_row_is_of(const struct ic_unit_model *unit, const struct ic_entry_row *row,
			const struct ic_function *function)
{
	const char *file = row->file == IC_NONE ? NULL : unit->files[row->file];

	return file && function && function->decl_file &&
	       (file == function->decl_file ||
		strcmp(ic_text_base_name(file), ic_text_base_name(function->decl_file)) == 0);
}

bool ic_host_code_is_freeing(const struct ic_host_code *code)
{
	const struct ic_function *function = ic_host_code_function(code, code->host);
	struct ic_symbol symbol;

	if (!function || !function->name || function->name[0] != '~')
		return false;
	uint64_t start = code->unit->ranges[code->unit->instances[code->host].first_range].start;
	return ic_index_symbol_of(code->function.index, (struct ic_range){ start, start + 1 }, NULL,
				  &symbol) &&
	       strstr(symbol.name, "D0Ev");
}

bool ic_host_code_is_own(const struct ic_host_code *code, uint32_t node)
{
	return ic_range_set_find(&code->own,
				 code->function.flow.nodes.items[node].instruction.addr);
}

void ic_host_code_mark_own(struct ic_host_code *code, uint8_t mark)
{
	struct ic_flow *flow = &code->function.flow;

	for (uint32_t i = 0; i < flow->nodes.count; i++)
		flow->nodes.items[i].marks = 0;
	for (uint32_t i = 0; i < code->own.count; i++) {
		const struct ic_range *range = &code->own.ranges[i];
		uint32_t j = ic_host_code_first(code, range->start);
		for (; j < code->nodes.count && code->nodes.items[j].key < range->end; j++)
			flow->nodes.items[code->nodes.items[j].number].marks = mark;
	}
}

bool ic_host_code_is_continued(struct ic_host_code *code, uint64_t addr)
{
	const struct ic_flow *flow = &code->function.flow;
	uint32_t node = ic_flow_find(flow, addr);
	bool any = false;

	if (node == IC_NONE ||
	    !ic_host_code_search(code, flow->firsts[node + 1] - flow->firsts[node]))
		return false;
	for (uint32_t i = flow->firsts[node]; i < flow->firsts[node + 1]; i++) {
		uint32_t before = flow->befores[i];
		if (ic_host_code_is_own(code, before))
			continue;
		if (ic_segments_find(&code->copies, flow->nodes.items[before].instruction.addr) ==
		    IC_NONE)
			return false;
		any = true;
	}
	return any;
}

uint32_t ic_host_code_first(const struct ic_host_code *code, uint64_t addr)
{
	return ic_keyed_find(code->nodes.items, code->nodes.count, addr);
}

uint64_t ic_host_code_skip(const struct ic_host_code *code, uint64_t addr, uint64_t end)
{
	while (addr < end) {
		struct ic_instruction found =
			ic_instruction_read(code->function.source.disassembler,
					    ic_image_code_at(code->function.image, addr), addr);
		if (found.kind != IC_INSTRUCTION_PADDING)
			break;
		addr += found.size;
	}
	return addr < end ? addr : end;
}

void ic_host_code_free(struct ic_host_code *code)
{
	ic_function_flow_close(&code->function);
	IC_ARRAY_FREE(&code->hosts);
	IC_ARRAY_FREE(&code->by_function);
	IC_ARRAY_FREE(&code->lasts);
	IC_ARRAY_FREE(&code->nodes);
	IC_ARRAY_FREE(&code->starts);
	IC_ARRAY_FREE(&code->ranges);
	ic_arena_free(&code->arena);
}
