#include "unwind/code/function_walk.h"

#include <string.h>

#include "base/bytes.h"
#include "base/machine.h"
#include "instructions/x86.h"

enum {
	MOST_PATHS = 32, // that remain to be followed
	MOST_ENDS = 128, // of paths
};

struct path {
	uint32_t off; // from the entry
	struct ic_x86_stack stack;
};

struct walk {
	uint64_t entry, mask;
	uint32_t end; // offset of the wanted address
	bool is_64;
	uint8_t code[IC_MOST_WALKED];
	uint32_t size;                       // of the code that can be read
	uint8_t visited[IC_MOST_WALKED / 8]; // a bit for each offset
	struct path paths[MOST_PATHS];
	uint32_t path_count;
	bool may_leave; // a path ends other than by a return
	// Offsets where paths have ended, and how the stack was where one jumped through a table.
	uint32_t ends[MOST_ENDS];
	uint32_t end_count;
	struct ic_x86_stack at_table;
	bool has_table, has_tables; // one, or several with different stacks
};

// Reads up to the end of the code, in pieces that become smaller.
static void read_code(struct walk *walk, const struct ic_unwind_options *options)
{
	for (uint32_t piece = IC_MOST_WALKED; piece > 0; piece /= 2)
		if (piece <= IC_MOST_WALKED - walk->size &&
		    options->read_memory(options->context, walk->entry + walk->size,
					 walk->code + walk->size, piece))
			walk->size += piece;
}

static bool is_string_operation(uint8_t opcode)
{
	return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

// The size of an instruction that the decoder leaves to others, and that does not affect the
// control flow; 0 for others.
static uint8_t size_of_rare(struct ic_bytes code, bool is_64)
{
	static const uint8_t landing[] = { 0xf3, 0x0f, 0x1e };
	static const uint8_t kernel_call[] = { 0x65, 0xff, 0x15 }; // call *%gs:offset, of i386
	bool has_repeat = code.size > 0 && (code.data[0] == 0xf2 || code.data[0] == 0xf3);
	size_t at = has_repeat;

	if (code.size >= 4 && memcmp(code.data, landing, sizeof(landing)) == 0)
		return 4;
	if (code.size >= 2 && code.data[0] == 0xcd) // int
		return 2;
	if (!is_64 && code.size >= 7 && memcmp(code.data, kernel_call, sizeof(kernel_call)) == 0)
		return 7;
	if (is_64 && code.size > at + 1 && code.data[at] >> 4 == 4)
		at++;
	return code.size > at && is_string_operation(code.data[at]) ? (uint8_t)(at + 1) : 0;
}

// Decodes the instruction at an offset. False if that is not possible.
static bool decode_instruction(const struct walk *walk, uint32_t off, struct ic_instruction *read)
{
	enum { LOCK = 0xf0 };
	struct ic_bytes code = { walk->code + off, walk->size - off };
	bool has_lock = code.size > 0 && code.data[0] == LOCK;

	*read = (struct ic_instruction){ .addr = walk->entry + off + has_lock };
	const struct ic_bytes rest = { code.data + has_lock, code.size - has_lock };
	if (!ic_x86_instruction_read(rest, walk->is_64, walk->mask, read)) {
		read->size = size_of_rare(rest, walk->is_64);
		read->kind = IC_INSTRUCTION_PLAIN;
	}
	if (read->size == 0)
		return false;
	read->size = (uint8_t)(read->size + has_lock);
	return true;
}

// Keeps a path for later, unless it leads out of the code.
static void add_path(struct walk *walk, uint64_t target, const struct ic_x86_stack *stack)
{
	uint64_t off = (target - walk->entry) & walk->mask;

	if (off < walk->size && walk->path_count < MOST_PATHS)
		walk->paths[walk->path_count++] = (struct path){ (uint32_t)off, *stack };
	else
		walk->may_leave = true;
}

// What a call has done once it has returned. Position-independent code of i386 calls what follows,
// to get its address.
static void apply_call(const struct walk *walk, const struct ic_instruction *read, uint32_t next,
		       struct ic_x86_stack *stack)
{
	int word = walk->is_64 ? 8 : 4;

	if (read->target == ((walk->entry + next) & walk->mask) &&
	    __builtin_add_overflow(stack->sp, word, &stack->sp))
		stack->knows_sp = false;
}

// The stack is as at the entry if a function leaves by an indirect jump.
static void note_indirect(struct walk *walk, const struct ic_x86_stack *stack)
{
	int word = walk->is_64 ? 8 : 4;

	walk->may_leave = true;
	if (stack->knows_sp && stack->sp == word)
		return;
	walk->has_tables |= walk->has_table && (walk->at_table.knows_sp != stack->knows_sp ||
						walk->at_table.sp != stack->sp);
	if (!walk->has_table)
		walk->at_table = *stack;
	walk->has_table = true;
}

// What follows the end of a path may be reached by a jump through a table.
static void note_end(struct walk *walk, uint32_t off)
{
	if (walk->end_count < MOST_ENDS)
		walk->ends[walk->end_count++] = off;
}

// Applies an instruction to a path. False if the path ends there.
static bool apply_instruction(struct walk *walk, const struct ic_instruction *read,
			      struct path *path)
{
	uint32_t next = path->off + read->size;

	switch (read->kind) {
	case IC_INSTRUCTION_PLAIN:
		ic_x86_stack_apply(&path->stack, walk->code + path->off, read->size, walk->is_64);
		break;
	case IC_INSTRUCTION_PADDING: break;
	case IC_INSTRUCTION_CALL: apply_call(walk, read, next, &path->stack); break;
	case IC_INSTRUCTION_BRANCH: add_path(walk, read->target, &path->stack); break;
	case IC_INSTRUCTION_JUMP:
		add_path(walk, read->target, &path->stack);
		note_end(walk, next);
		return false;
	case IC_INSTRUCTION_INDIRECT:
		note_indirect(walk, &path->stack);
		note_end(walk, next);
		return false;
	default: note_end(walk, next); return false;
	}
	path->off = next;
	return true;
}

static bool is_visited(const struct walk *walk, uint32_t off)
{
	return off >= walk->size || walk->visited[off / 8] >> off % 8 & 1;
}

// Follows a path. True if it reaches the end, with *stack as it is there.
static bool follow_path(struct walk *walk, struct path path, struct ic_x86_stack *stack)
{
	enum { INT3 = 0xcc };
	struct ic_instruction read;

	for (;;) {
		if (path.off == walk->end) {
			*stack = path.stack;
			return true;
		}
		if (path.off >= walk->size) {
			walk->may_leave = true;
			return false;
		}
		if (walk->visited[path.off / 8] >> path.off % 8 & 1 || walk->code[path.off] == INT3)
			return false;
		walk->visited[path.off / 8] |= (uint8_t)(1u << path.off % 8);
		if (!decode_instruction(walk, path.off, &read)) {
			walk->may_leave = true;
			return false;
		}
		if (!apply_instruction(walk, &read, &path))
			return false;
	}
}

static bool follow_paths(struct walk *walk, struct ic_x86_stack *stack)
{
	bool found = false;

	while (!found && walk->path_count > 0)
		found = follow_path(walk, walk->paths[--walk->path_count], stack);
	return found;
}

// Follows all paths from the entry on, until one reaches the end; then those that only a jump
// through a table leads to, where the stack is as at the jump.
static bool follow_all(struct walk *walk, struct ic_x86_stack *stack)
{
	struct ic_x86_stack begin;
	bool found;

	ic_x86_stack_begin(&begin, walk->is_64);
	add_path(walk, walk->entry, &begin);
	found = follow_paths(walk, stack);
	for (uint32_t i = 0; !found && walk->has_table && !walk->has_tables && i < walk->end_count;
	     i++) {
		if (is_visited(walk, walk->ends[i]))
			continue;
		add_path(walk, walk->entry + walk->ends[i], &walk->at_table);
		found = follow_paths(walk, stack);
	}
	return found;
}

bool ic_function_walk(const struct ic_unwind_options *options, uint64_t entry, uint64_t pc,
		      struct ic_x86_stack *stack)
{
	struct walk walk = { .entry = entry,
			     .mask = options->is_32_bit ? UINT32_MAX : UINT64_MAX,
			     .is_64 = options->machine == IC_MACHINE_X86_64 };

	if (pc - entry >= IC_MOST_WALKED)
		return false;
	walk.end = (uint32_t)(pc - entry);
	read_code(&walk, options);
	return follow_all(&walk, stack) && (stack->knows_sp || stack->knows_fp);
}

bool ic_function_may_leave(const struct ic_unwind_options *options, struct ic_range range)
{
	struct walk walk = { .entry = range.start,
			     .mask = options->is_32_bit ? UINT32_MAX : UINT64_MAX,
			     .is_64 = options->machine == IC_MACHINE_X86_64,
			     .end = UINT32_MAX };
	struct ic_x86_stack stack;
	uint64_t size = range.end - range.start;

	if (range.start >= range.end || size > IC_MOST_WALKED)
		return true;
	read_code(&walk, options);
	if (walk.size < size)
		return true;
	walk.size = (uint32_t)size;
	(void)follow_all(&walk, &stack);
	return walk.may_leave;
}
