// Fuzzes the reading of types and of parameters in the sections of DWARF, after a scan of them.
// Wanted: texts that can be read and are not too long. A copy has the same parameters whether its
// unit's model has noted them or not. Members are where locations can say. Without problems, the
// type of a parameter has the same text as from a reader that has read no other.
#include "fuzz_input.h"
#include "index/scan.h"
#include "types/enumerators.h"
#include "types/formals.h"
#include "types/members/members.h"

#include <string.h>

enum { MOST_DIES = 1 << 14, MOST_INSTANCES = 64, MOST_FORMALS = 32, MOST_TYPES = 1 << 12 };

struct reading {
	struct ic_scan scan;
	struct ic_index own; // of the scan: without models
	struct ic_problems ignored;
	struct ic_dies dies;
	struct ic_formals formals;
	struct ic_enumerations enumerations;
	struct ic_arena arena; // of the paths
	struct ic_type_members members;
};

static void begin(struct reading *reading, struct ic_debug *debug, const struct ic_index *index)
{
	const struct ic_read_options want = { .jobs = 1 };
	struct ic_error err = { 0 };

	*reading = (struct reading){ .own.code = index->code };
	reading->ignored.arena = &reading->own.arena;
	PROMISE(ic_scan_open(&reading->scan, &reading->own, debug, &want, &reading->ignored, &err));
	ic_scan_prepare(&reading->scan);
	struct ic_reader *reader = &ic_scan_stream(&reading->scan, 0)->reader;
	reader->problems = (struct ic_problems){ .arena = reader->arena };
	reading->dies = (struct ic_dies){ .reader = reader, .most = MOST_DIES };
	reading->formals.types.dies = &reading->dies;
	reading->formals.types.arena = reader->arena;
	reading->members.types = &reading->formals.types;
	reading->members.paths.arena = &reading->arena;
	PROMISE(ic_member_paths_read(&reading->members.paths,
				     "n,n.n.n.n->n,b,u,o,v[1],[0],[1].n[2].b,n->u,p.q,*,n->*",
				     &err));
}

static void end(struct reading *reading)
{
	PROMISE(!reading->dies.reader->out_of_memory);
	ic_enumerations_free(&reading->enumerations);
	ic_type_members_free(&reading->members);
	ic_arena_free(&reading->arena);
	ic_formals_free(&reading->formals);
	ic_dies_free(&reading->dies);
	ic_scan_close(&reading->scan);
	IC_ARRAY_FREE(&reading->ignored.list);
	ic_arena_free(&reading->own.arena);
}

static bool has_problems(const struct reading *reading)
{
	return reading->dies.reader->problems.list.count > 0 || reading->dies.gave_up ||
	       reading->ignored.list.count > 0;
}

static struct ic_unit *use_unit(struct reading *reading, uint32_t number)
{
	struct ic_unit *unit = &reading->scan.context.units.units.items[number];
	struct ic_error err;

	reading->dies.reader->unit = unit;
	(void)ic_dies_table(&reading->dies, unit, &err); // the root DIE says the language
	reading->formals.types.language = unit->root.language;
	return unit;
}

// ---- Parameters

static void check_argument(const struct reading *reading, const struct ic_argument *argument)
{
	const struct ic_formal *formal = &reading->formals.list.items[argument->formal];

	PROMISE(argument->formal < reading->formals.list.count);
	if (formal->name)
		fuzz_read_text(formal->name, NULL);
	if (formal->type)
		PROMISE(fuzz_read_text(formal->type, NULL) <= 2 * IC_TYPES_LONGEST + 1);
}

// Of an argument at a place of each kind.
static void check_places(const struct ic_type_member *member)
{
	for (unsigned kind = 0; kind <= IC_LOCATION_VALUE; kind++) {
		const struct ic_location_piece pieces[] = {
			{ .bit_size = 64, .location = { .kind = IC_LOCATION_REGISTER } },
			{ .bit_size = 8, .location = { .kind = IC_LOCATION_MEMORY } },
		};
		const struct ic_parameter argument = {
			.location = { .kind = (enum ic_location_kind)kind,
				      .load_count = kind % (IC_LOCATION_MOST_LOADS + 1),
				      .pieces = pieces,
				      .piece_count = kind == IC_LOCATION_PIECES ? 2 : 0 }
		};
		struct ic_parameter found = { .size = member->text.size };

		ic_type_member_locate(member, &argument, &found);
		PROMISE(found.location.load_count <= IC_LOCATION_MOST_LOADS);
		PROMISE(found.location.kind != IC_LOCATION_PIECES);
		PROMISE(found.bit_size <= 64 && found.bit_offset <= 64);
	}
}

static void check_members(struct reading *reading, const struct ic_argument *argument)
{
	const struct ic_formal *formal = &reading->formals.list.items[argument->formal];
	const struct ic_type_member *member;

	for (uint32_t i = 0; i < reading->members.paths.list.count; i++) {
		if (reading->members.paths.list.items[i].is_all) {
			PROMISE(ic_type_members_expand(&reading->members, argument->formal, formal,
						       i));
			PROMISE(reading->members.paths.list.count <= IC_MOST_MEMBERS);
			continue;
		}
		PROMISE(ic_type_member_find(&reading->members, argument->formal, formal, i,
					    &member));
		if (!member)
			continue;
		PROMISE(fuzz_read_text(member->name, NULL) > 0 && member->addr_size <= 8);
		PROMISE(member->load_count <= IC_LOCATION_MOST_LOADS && member->bit_size <= 64);
		if (member->type)
			PROMISE(fuzz_read_text(member->type, NULL) <= 2 * IC_TYPES_LONGEST + 1);
		check_places(member);
	}
}

static void same_arguments(const struct reading *noted, const struct reading *unread)
{
	const struct ic_formals *a = &noted->formals, *b = &unread->formals;

	PROMISE(a->arguments.count == b->arguments.count && a->is_variadic == b->is_variadic);
	for (uint32_t i = 0; i < a->arguments.count; i++) {
		const struct ic_argument *one = &a->arguments.items[i];
		const struct ic_argument *other = &b->arguments.items[i];
		PROMISE(one->has_die == other->has_die && one->place.off == other->place.off);
	}
}

static void check_instance(struct reading *noted, struct reading *unread,
			   const struct ic_unit_model *model, uint32_t unit, uint32_t number)
{
	const struct ic_instance *instance = &model->instances[number];
	uint64_t function_off = instance->function == IC_NONE
					? UINT64_MAX
					: model->functions[instance->function].die_off;
	const struct ic_parameter_die *dies;
	uint32_t count = ic_unit_model_parameters(model, number, &dies);

	struct ic_unit *in = use_unit(noted, unit);
	PROMISE(ic_formals_join(&noted->formals, function_off,
				(struct ic_die_place){ in, in->off + instance->die_off }, dies,
				count));
	in = use_unit(unread, unit);
	PROMISE(ic_formals_join_unread(&unread->formals, function_off,
				       (struct ic_die_place){ in, in->off + instance->die_off }));
	for (uint32_t i = 0; i < noted->formals.arguments.count; i++)
		check_argument(noted, &noted->formals.arguments.items[i]);
	for (uint32_t i = 0; i < noted->formals.arguments.count; i++)
		check_members(noted, &noted->formals.arguments.items[i]);
	if (model->problem_count == 0 && !has_problems(noted) && !has_problems(unread))
		same_arguments(noted, unread);
}

// ---- Types

static void check_enumeration(struct reading *reading, struct ic_die_place place,
			      const struct ic_value *type)
{
	struct ic_enumeration enumeration = { .count = 0 };

	PROMISE(ic_enumeration_of(&reading->enumerations, &reading->formals.types, place, type,
				  &enumeration));
	PROMISE(enumeration.count == 0 ||
		fuzz_read_text(enumeration.scope, NULL) <= IC_TYPES_LONGEST + 2);
	for (size_t i = 0; i < enumeration.count; i++) {
		fuzz_read_text(enumeration.list[i].name, NULL);
		PROMISE(i == 0 || enumeration.list[i - 1].value <= enumeration.list[i].value);
	}
}

static const char *text_at(struct reading *reading, uint32_t unit, uint64_t off)
{
	const struct ic_value value = { .number = off,
					.form = DW_FORM_ref_addr,
					.class = IC_FORM_CLASS_REFERENCE };
	const struct ic_die_place place = { use_unit(reading, unit), 0 };
	struct ic_types *types = &reading->formals.types;
	struct ic_type_text text = ic_type_of(types, place, &value);
	const char *whole = ic_type_whole(types, &text);

	PROMISE((text.prefix != NULL) == (whole != NULL));
	if (whole)
		PROMISE(fuzz_read_text(whole, NULL) <= 2 * IC_TYPES_LONGEST + 1);
	check_enumeration(reading, place, &value);
	return whole;
}

// At any offset: a kept text is the one that was read.
static void check_again(struct reading *used, uint32_t unit, uint64_t off)
{
	const char *text = text_at(used, unit, off), *again = text_at(used, unit, off);

	PROMISE(text ? again && !strcmp(text, again) : !again);
}

// By a reader that reads no other type.
static void check_alone(const struct reading *noted, const struct ic_formal *formal,
			struct ic_debug *debug, const struct ic_index *index)
{
	const struct ic_unit_list *units = &noted->scan.context.units;
	struct ic_die_place place = formal->place;
	struct ic_full_die die;
	struct reading fresh;

	begin(&fresh, debug, index);
	place.unit = use_unit(&fresh, (uint32_t)(place.unit - units->units.items));
	if (ic_full_die_open(&fresh.dies, place, &die) && ic_value_is_given(&die.attrs.type)) {
		struct ic_types *types = &fresh.formals.types;
		struct ic_type_text text = ic_type_of(types, place, &die.attrs.type);
		const char *alone = ic_type_whole(types, &text);
		if (!has_problems(&fresh) && formal->type)
			PROMISE(alone && !strcmp(alone, formal->type));
	}
	end(&fresh);
}

// ---- The sections

static void check_all(struct ic_debug *debug, const struct ic_index *index, size_t info_size)
{
	struct reading noted, unread, used;
	uint32_t instances = 0;

	begin(&noted, debug, index);
	begin(&unread, debug, index);
	begin(&used, debug, index);
	PROMISE(noted.own.unit_count == index->unit_count);
	for (uint32_t i = 0; i < index->unit_count; i++)
		for (uint32_t j = 0; j < index->units[i].instance_count; j++)
			if (instances++ < MOST_INSTANCES)
				check_instance(&noted, &unread, &index->units[i], i, j);
	for (uint32_t i = 0; index->unit_count == 1 && i < noted.formals.list.count; i++)
		if (i < MOST_FORMALS && !has_problems(&noted))
			check_alone(&noted, &noted.formals.list.items[i], debug, index);
	for (uint64_t off = 0; off < info_size && off < MOST_TYPES && index->unit_count > 0; off++)
		check_again(&used, (uint32_t)(off % index->unit_count), off);
	end(&noted);
	end(&unread);
	end(&used);
}

// The input is that of fuzz_dwarf.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	const struct ic_index_options options = { .jobs = 1, .parameters = true };
	struct ic_range code = { 0x1000, 0x9000 };
	struct ic_index index = { .code = { &code, 1 } };
	struct ic_problems problems = { .arena = &index.arena };
	struct ic_bytes sections[FUZZ_DWARF_SECTIONS];
	struct ic_error err = { 0 };

	fuzz_take_sections(&in, sections, FUZZ_DWARF_SECTIONS);
	struct ic_dwarf dwarf = fuzz_dwarf_of(sections, choice & 1), *dwarfs = &dwarf;
	struct ic_debug *debug = ic_debug_of_sections(&dwarfs, 1, &err);
	PROMISE(debug && ic_scan_all(&index, debug, &options, &problems, &err)); // memory suffices
	check_all(debug, &index, sections[FUZZ_INFO].size);
	ic_debug_release(debug);
	ic_arena_free(&index.arena);
	fuzz_free_sections(sections, FUZZ_DWARF_SECTIONS);
	return 0;
}
