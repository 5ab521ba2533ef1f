#include "types/members/members.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dwarf/expressions/locations.h"
#include "dwarf/expressions/operation.h"
#include "dwarf/units/constants.h"

enum { MOST_DEPTH = 32 }; // nesting of unnamed structures

// ---- Where a path leads

struct way { // the steps taken from a formal parameter
	struct ic_type_members *members;
	struct ic_type_member *member;
	struct ic_die_place place; // the DIE that refers to the type
	struct ic_value type;      // the reference
	bool is_part;              // an offset was added: it is no longer the parameter itself
	// For a bit-field (DWARF 5, 5.7.6).
	uint64_t bit_size, bit_offset;
};

// Follows a pointer.
static bool follow_pointer(struct way *way)
{
	struct ic_type_member *member = way->member;

	if (!way->is_part && !member->is_behind)
		member->is_behind = true;
	else if (member->load_count < IC_LOCATION_MOST_LOADS)
		member->offsets[++member->load_count] = 0;
	else
		return false;
	return true;
}

// Resolves the type reached so far, and follows references.
static bool open_type(struct way *way, struct ic_full_die *die)
{
	for (unsigned i = 0; i <= IC_LOCATION_MOST_LOADS; i++) {
		if (!ic_full_die_type(way->members->types->dies, &way->place, &way->type, die))
			return false;
		if (die->die.tag != DW_TAG_reference_type &&
		    die->die.tag != DW_TAG_rvalue_reference_type)
			return true;
		if (!follow_pointer(way))
			return false;
		way->type = die->attrs.type;
	}
	return false;
}

// Moves to the type that a pointer points to.
static bool open_pointee(struct way *way, const struct ic_full_die *pointer)
{
	way->type = pointer->attrs.type;
	return follow_pointer(way);
}

// Finds the byte offset of a member. Members of unions, and bit-fields with DW_AT_data_bit_offset,
// have no DW_AT_data_member_location. False if the offset is not constant.
static bool find_offset(const struct ic_full_die *die, struct ic_die_place place, uint64_t *offset)
{
	struct ic_full_die_attr attr = die->attrs.member.location;

	*offset = 0;
	if (attr.spec.form == 0)
		return die->die.tag == DW_TAG_member;
	if (attr.spec.class == IC_FORM_CLASS_BLOCK) { // DWARF 2: an expression
		struct ic_cursor block = ic_block_read(&attr.cur, attr.spec.form);
		if (ic_cursor_u8(&block) != DW_OP_plus_uconst)
			return false;
		*offset = ic_cursor_uleb(&block);
		return ic_cursor_ok(&block, NULL) && !ic_cursor_more(&block);
	}
	const struct ic_value value = ic_value_read(&attr.cur, &attr.spec, place.unit);
	return ic_full_die_constant(&value, offset);
}

// Finds the bits of a bit-field in the bytes of its type, and moves the offset to these bytes.
// False if its position is missing, or not within such bytes.
static bool find_bits(struct way *way, const struct ic_full_die *die, uint64_t *offset)
{
	uint64_t size, bit, storage;

	if (!ic_full_die_constant(&die->attrs.member.bit_size, &way->bit_size))
		return true;
	if (!ic_full_die_type_size(way->members->types->dies, way->place, &die->attrs.type,
				   &size) ||
	    size == 0 || size > 8 || *offset > UINT32_MAX)
		return false;
	if (!ic_full_die_constant(&die->attrs.member.data_bit_offset, &bit)) {
		// DWARF 2 and 3 count from the most significant bit of this many bytes.
		if (!ic_full_die_constant(&die->attrs.member.bit_offset, &bit))
			return false;
		if (!ic_full_die_constant(&die->attrs.byte_size, &storage))
			storage = size;
		if (way->place.unit->dwarf->swap == IC_HOST_IS_BIG_ENDIAN) // little-endian
			bit = 8 * storage - bit - way->bit_size;
	}
	bit += 8 * *offset;
	*offset = bit / (8 * size) * size;
	way->bit_offset = bit % (8 * size);
	if (way->bit_offset + way->bit_size > 8 * size) {
		*offset = bit / 8;
		way->bit_offset = bit % 8;
	}
	return way->bit_size > 0 && way->bit_size <= 8 * size - way->bit_offset;
}

static bool is_structure(const struct ic_full_die *die)
{
	switch (die->die.tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_union_type: return true;
	default: return false;
	}
}

// Whether a DIE in a structure has this name.
static bool is_named(struct ic_dies *dies, struct ic_die_place place, const struct ic_full_die *die,
		     const struct ic_member_step *step)
{
	const char *name = ic_full_die_text(dies, place, &die->attrs.name);

	return name && strcmp(name, step->name) == 0;
}

static bool find_member(struct way *way, struct ic_full_die die, const struct ic_member_step *step,
			unsigned depth);

static bool find_member(struct way *way, struct ic_full_die die, const struct ic_member_step *step,
			unsigned depth);

// Moves to a DIE in a structure, the member itself (`is_it`) or a part that may contain it, and
// adds its offset.
static bool enter_member(struct way *way, struct ic_die_place place, struct ic_full_die die,
			 const struct ic_member_step *step, bool is_it, unsigned depth)
{
	struct way next = *way;
	uint64_t offset;

	if (!find_offset(&die, place, &offset))
		return false;
	next.place = place;
	next.type = die.attrs.type;
	next.is_part = true;
	if (is_it ? !find_bits(&next, &die, &offset)
		  : !ic_full_die_type(way->members->types->dies, &next.place, &next.type, &die) ||
			    !find_member(&next, die, step, depth + 1))
		return false;
	way->member->offsets[way->member->load_count] += offset;
	*way = next;
	return true;
}

// Finds a member of a structure itself, or of an unnamed structure or union in it. *is_there
// reports a member of that name even if it is static.
static bool find_own(struct way *way, struct ic_full_die die, const struct ic_member_step *step,
		     unsigned depth, bool *is_there)
{
	struct ic_dies *dies = way->members->types->dies;
	struct ic_die_place place = way->place;
	int level = 0;

	*is_there = false;
	while (!*is_there && ic_full_die_below(dies, &place, &die, &level)) {
		bool is_member = die.die.tag == DW_TAG_member;
		if (level != 1 || (!is_member && die.die.tag != DW_TAG_variable))
			continue;
		*is_there = is_named(dies, place, &die, step);
		bool is_static = !is_member ||
				 ic_value_constant(&die.attrs.member.declaration) != 0;
		if (*is_there)
			return !is_static && enter_member(way, place, die, step, true, depth);
		if (is_member && !ic_value_is_given(&die.attrs.name) &&
		    enter_member(way, place, die, step, false, depth))
			return true;
	}
	return false;
}

// Finds a member in the base classes of a structure. In two of them it is ambiguous.
static bool find_inherited(struct way *way, struct ic_full_die die,
			   const struct ic_member_step *step, unsigned depth)
{
	const struct ic_type_member before = *way->member;
	struct ic_die_place place = way->place;
	struct ic_type_member found = before;
	struct way there = *way;
	unsigned count = 0;
	int level = 0;

	while (ic_full_die_below(way->members->types->dies, &place, &die, &level)) {
		struct way next = *way;
		if (level != 1 || die.die.tag != DW_TAG_inheritance)
			continue;
		if (enter_member(&next, place, die, step, false, depth)) {
			count++;
			there = next;
			found = *way->member;
		}
		*way->member = before;
	}
	if (count != 1)
		return false;
	*way->member = found;
	*way = there;
	return true;
}

// Finds a member of a structure by name; its own members hide those of base classes.
static bool find_member(struct way *way, struct ic_full_die die, const struct ic_member_step *step,
			unsigned depth)
{
	bool is_there;

	return depth < MOST_DEPTH && is_structure(&die) &&
	       (find_own(way, die, step, depth, &is_there) ||
		(!is_there && find_inherited(way, die, step, depth)));
}

// ---- The steps of a path

static bool is_plain_array(struct way *way, struct ic_full_die array)
{
	struct ic_die_place place = way->place;
	unsigned count = 0;
	int level = 0;

	if (ic_value_is_given(&array.attrs.stride))
		return false; // items are not contiguous
	while (ic_full_die_below(way->members->types->dies, &place, &array, &level))
		if (level == 1 && array.die.tag == DW_TAG_subrange_type)
			count += ic_value_is_given(&array.attrs.stride) ? 2 : 1;
	return count == 1;
}

// Moves to an item of an array, or of what a pointer points to. Arrays of at most one item may be
// the ends of larger structures.
static bool take_item(struct way *way, uint64_t index)
{
	struct ic_dies *dies = way->members->types->dies;
	struct ic_value array = { .form = 0 };
	uint64_t size, whole, end;
	struct ic_full_die die;

	struct ic_die_place place = way->place;
	struct way before = *way;
	if (!open_type(way, &die))
		return false;
	if (die.die.tag == DW_TAG_array_type && is_plain_array(way, die)) {
		array = way->type;
		way->type = die.attrs.type;
	} else if (die.die.tag == DW_TAG_pointer_type) {
		if (!open_pointee(way, &die))
			return false;
	} else if (index > 0 || die.die.tag == DW_TAG_array_type ||
		   !ic_full_die_type(dies, &before.place, &before.type, &die) ||
		   (die.die.tag != DW_TAG_reference_type &&
		    die.die.tag != DW_TAG_rvalue_reference_type)) {
		return false; // otherwise it is the target of a reference
	}
	if (!ic_full_die_type_size(dies, way->place, &way->type, &size) || size == 0 ||
	    __builtin_mul_overflow(index, size, &end) || end > INT64_MAX - size)
		return false;
	if (ic_value_is_given(&array) && ic_full_die_type_size(dies, place, &array, &whole) &&
	    whole > size && end + size > whole)
		return false;
	way->member->offsets[way->member->load_count] += end;
	way->is_part = true;
	return true;
}

// Moves to a member of a structure, or of what a pointer points to.
static bool take_name(struct way *way, const struct ic_member_step *step)
{
	struct ic_types *types = way->members->types;
	const char *sign = ".";
	struct ic_full_die die;

	if (!open_type(way, &die))
		return false;
	if (die.die.tag == DW_TAG_pointer_type) {
		if (ic_types_spelling(types) != IC_TYPE_SPELLING_OTHER)
			sign = "->";
		if (!open_pointee(way, &die) || !open_type(way, &die))
			return false;
	}
	ic_type_put(types, sign);
	ic_type_put(types, step->name);
	return find_member(way, die, step, 0);
}

static bool take_step(struct way *way, const struct ic_member_step *step)
{
	char index[24];

	if (way->bit_size > 0)
		return false;
	if (step->name)
		return take_name(way, step);
	snprintf(index, sizeof(index), "[%" PRIu64 "]", step->index);
	ic_type_put(way->members->types, index);
	return take_item(way, step->index);
}

static bool take_steps(struct way *way, struct ic_member_steps steps)
{
	bool is_found = true;

	for (uint32_t i = 0; is_found && i < steps.count; i++)
		is_found = take_step(way, &steps.list[i]);
	return is_found;
}

bool ic_type_member_read(struct ic_type_members *members, const struct ic_formal *formal,
			 struct ic_member_steps first, struct ic_member_steps more,
			 struct ic_type_member *member)
{
	struct ic_types *types = members->types;
	uint32_t mark = types->scratch.count;
	struct way way = { .members = members,
			   .member = member,
			   .place = formal->type_place,
			   .type = formal->type_value };

	const struct ic_unit *unit = formal->place.unit;
	*member = (struct ic_type_member){
		.addr_size = unit->addr_size,
		.is_big_endian = unit->dwarf->swap != IC_HOST_IS_BIG_ENDIAN,
	};
	ic_type_put(types, formal->name ? formal->name : "?");
	if (!formal->knows_type || !take_steps(&way, first) || !take_steps(&way, more)) {
		types->scratch.count = mark;
		return false;
	}
	member->name = ic_type_keep(types, mark);
	member->type_place = way.place;
	member->type_value = way.type;
	member->bit_size = (uint32_t)way.bit_size;
	member->bit_offset = (uint32_t)way.bit_offset;
	member->text = ic_type_of(types, way.place, &way.type);
	member->type = ic_type_whole(types, &member->text);
	return member->name;
}

bool ic_type_member_find(struct ic_type_members *members, uint32_t number,
			 const struct ic_formal *formal, uint32_t path,
			 const struct ic_type_member **member)
{
	const struct ic_member_steps none = { .count = 0 };
	uint64_t key = (uint64_t)number * IC_MOST_MEMBERS + path;
	uint32_t *found = ic_map_at(&members->by_formal, key);

	if (!found)
		return false;
	if (*found == IC_NONE) {
		struct ic_type_member *made = IC_ARRAY_PUSH(&members->list);
		if (!made)
			return false;
		*found = members->list.count - 1;
		if (ic_type_member_read(members, formal, ic_member_steps_of(members, path), none,
					made))
			members->paths.list.items[path].is_found = true;
		else
			made->name = NULL;
	}
	*member = &members->list.items[*found];
	if (!(*member)->name)
		*member = NULL;
	return !members->types->dies->reader->out_of_memory;
}

// ---- All members

struct listing { // of the members of a structure
	struct ic_type_members *members;
	uint32_t path; // the one about all of them
	bool is_full;
};

// Adds the members of a structure, of its base classes, and of unnamed structures in it.
static bool list_members(struct listing *listing, struct ic_die_place place, struct ic_full_die die,
			 unsigned depth)
{
	struct ic_dies *dies = listing->members->types->dies;
	struct ic_member_paths *paths = &listing->members->paths;
	int level = 0;

	if (depth == MOST_DEPTH || !is_structure(&die))
		return true;
	while (!listing->is_full && ic_full_die_below(dies, &place, &die, &level)) {
		bool is_member = die.die.tag == DW_TAG_member;
		if (level != 1 || (!is_member && die.die.tag != DW_TAG_inheritance) ||
		    ic_value_constant(&die.attrs.member.declaration) != 0)
			continue;
		const char *name = is_member ? ic_full_die_text(dies, place, &die.attrs.name)
					     : NULL;
		struct ic_die_place type_place = place;
		struct ic_full_die type;
		if (name ? strncmp(name, "_vptr", 5) != 0 &&
				    !ic_member_paths_add(paths, listing->path, name,
							 &listing->is_full)
			 : ic_full_die_type(dies, &type_place, &die.attrs.type, &type) &&
				    !list_members(listing, type_place, type, depth + 1))
			return false;
	}
	return true;
}

bool ic_type_members_expand(struct ic_type_members *members, uint32_t number,
			    const struct ic_formal *formal, uint32_t path)
{
	struct ic_type_member member = { .name = NULL };
	struct way way = { .members = members,
			   .member = &member,
			   .place = formal->type_place,
			   .type = formal->type_value };
	uint32_t *done = ic_map_at(&members->by_formal, (uint64_t)number * IC_MOST_MEMBERS + path);
	struct ic_member_steps steps = ic_member_steps_of(members, path);
	struct listing listing = { members, path, false };
	uint32_t mark = members->types->scratch.count, before = members->paths.list.count;
	struct ic_full_die die;

	if (!done)
		return false;
	steps.count--;
	bool is_new = *done == IC_NONE, ok = true;
	*done = 0;
	if (is_new && formal->knows_type && take_steps(&way, steps) && open_type(&way, &die) &&
	    (die.die.tag != DW_TAG_pointer_type ||
	     (open_pointee(&way, &die) && open_type(&way, &die))))
		ok = list_members(&listing, way.place, die, 0);
	if (listing.is_full) {
		struct ic_error err;
		ic_fail(&err, IC_ERROR_LIMIT,
			"has more members than can be read; the others are left out");
		ic_full_die_problem(members->types->dies, way.place, &err);
	}
	members->types->scratch.count = mark;
	members->paths.list.items[path].is_found |= members->paths.list.count > before;
	return ok && !members->types->dies->reader->out_of_memory;
}

// ---- Locations of members

// Turns the location of an address into the memory at that address. False if no location can
// express it.
static bool load_location(struct ic_location *location, uint32_t addr_size)
{
	switch (location->kind) {
	case IC_LOCATION_REGISTER: location->base = IC_BASE_REGISTER; break;
	case IC_LOCATION_ADDRESS: location->base = IC_BASE_ADDRESS; break;
	case IC_LOCATION_ENTRY_VALUE: location->base = IC_BASE_ENTRY_REGISTER; break;
	case IC_LOCATION_BYTES:
		if (location->size != addr_size)
			return false;
		// Fall through.
	case IC_LOCATION_CONSTANT: location->base = IC_BASE_CONSTANT; break;
	case IC_LOCATION_VALUE: break;
	case IC_LOCATION_MEMORY:
		if (location->load_count == IC_LOCATION_MOST_LOADS)
			return false;
		location->loads[location->load_count++] =
			(struct ic_location_load){ .size = addr_size };
		break;
	default: return false;
	}
	location->kind = IC_LOCATION_MEMORY;
	location->bytes = NULL;
	location->size = 0;
	return true;
}

// Adds an offset to a location in memory.
static void move_location(struct ic_location *location, uint64_t offset)
{
	int64_t *last = location->load_count > 0 ? &location->loads[location->load_count - 1].offset
						 : &location->offset;

	*last = (int64_t)((uint64_t)*last + offset);
}

// Narrows the location of a value in registers or pieces to `size` bytes from `offset` on. They
// start at bit *bit_offset of the new location. False if that is unknown.
static bool take_part(struct ic_location *location, uint64_t offset, uint64_t size,
		      uint64_t *bit_offset)
{
	uint64_t start = 8 * offset, end = start + 8 * size, pos = 0;
	const struct ic_location_piece *piece = location->pieces;

	*bit_offset = start;
	if (location->kind == IC_LOCATION_PIECES) {
		const struct ic_location_piece *last = piece + location->piece_count;
		for (; piece < last && pos + piece->bit_size < end; piece++)
			pos += piece->bit_size;
		if (piece == last || pos > start)
			return false;
		*bit_offset = start - pos + piece->bit_offset;
		*location = piece->location;
	}
	switch (location->kind) {
	case IC_LOCATION_MEMORY:
		move_location(location, *bit_offset / 8);
		*bit_offset %= 8;
		return *bit_offset == 0;
	case IC_LOCATION_CONSTANT:
	case IC_LOCATION_REGISTER:
	case IC_LOCATION_VALUE:
	case IC_LOCATION_ENTRY_VALUE: return end - start <= 64 && *bit_offset <= 64 - 8 * size;
	case IC_LOCATION_ADDRESS: return *bit_offset == 0 && size == 8;
	case IC_LOCATION_UNAVAILABLE: return true;
	default: return false;
	}
}

// Locates a member, or the pointer that leads to it, in a value that is not in memory.
static bool locate_part(const struct ic_type_member *member, bool is_big_endian,
			struct ic_parameter *parameter)
{
	uint64_t size = member->load_count > 0 ? member->addr_size : parameter->size, bit_offset;

	// The bits of a register for the first bytes of a value depend on the byte order.
	if (size == 0 || size > 8 || member->offsets[0] > UINT32_MAX || is_big_endian ||
	    !take_part(&parameter->location, member->offsets[0], size, &bit_offset))
		return false;
	if (parameter->location.kind == IC_LOCATION_UNAVAILABLE)
		return true;
	if (member->load_count > 0)
		return bit_offset == 0;
	if (bit_offset > 0 && parameter->bit_size == 0)
		parameter->bit_size = 8 * (uint32_t)size;
	parameter->bit_offset += (uint32_t)bit_offset;
	return true;
}

void ic_type_member_locate(const struct ic_type_member *member, const struct ic_parameter *argument,
			   struct ic_parameter *parameter)
{
	struct ic_location *location = &parameter->location;
	bool is_known;

	*location = argument->location;
	parameter->is_everywhere = argument->is_everywhere;
	parameter->known_from = argument->known_from;
	if (location->kind == IC_LOCATION_UNAVAILABLE)
		return;
	location->expression = NULL;
	location->expression_size = 0;
	parameter->bit_size = member->bit_size;
	parameter->bit_offset = member->bit_offset;
	if (!member->is_behind && location->kind != IC_LOCATION_MEMORY) {
		is_known = locate_part(member, member->is_big_endian, parameter);
	} else {
		is_known = !member->is_behind || load_location(location, member->addr_size);
		move_location(location, member->offsets[0]);
	}
	if (location->kind == IC_LOCATION_UNAVAILABLE)
		return;
	for (uint32_t i = 1; is_known && i <= member->load_count; i++) {
		is_known = load_location(location, member->addr_size);
		move_location(location, member->offsets[i]);
	}
	if (!is_known)
		*location = (struct ic_location){ .why = IC_LOCATION_WHY_NO_ADDRESS };
}

// ---- The whole

void ic_type_members_forget(struct ic_type_members *members)
{
	ic_map_clear(&members->by_formal);
	members->list.count = 0;
}

void ic_type_members_free(struct ic_type_members *members)
{
	ic_map_free(&members->by_formal);
	ic_member_paths_free(&members->paths);
	IC_ARRAY_FREE(&members->list);
}
