// Fuzzes the reading of goroutines from the memory of a process.
// Wanted: goroutines with a state, no more than there are pointers to them; if some cannot be read,
// an error that says how many.
#include <string.h>

#include "fuzz_input.h"
#include "unwind/goroutines/list.h"

enum { START = 0x1000 };

struct visits {
	uint64_t count, most;
};

static bool read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct ic_bytes *memory = context;

	if (addr < START || addr - START > memory->size || size > memory->size - (addr - START))
		return false;
	memcpy(bytes, memory->data + (addr - START), size);
	return true;
}

static bool visit(void *context, const struct ic_goroutine *goroutine)
{
	struct visits *visits = context;

	PROMISE(goroutine->state[0] && strlen(goroutine->state) < 64);
	return ++visits->count < visits->most;
}

// As ic_goroutine_layout_find() makes it.
static void take_layout(struct fuzz_input *in, struct ic_goroutine_layout *layout)
{
	*layout = (struct ic_goroutine_layout){ .list = START + fuzz_take_u8(in),
						.reasons = START + fuzz_take_u8(in) };
	for (int i = 0; i < IC_GOROUTINE_FIELDS; i++) {
		layout->fields[i].offset = fuzz_take_u16(in) % 4097;
		layout->fields[i].size = fuzz_take_u8(in) % 9;
		uint32_t end = layout->fields[i].offset + layout->fields[i].size;
		layout->size = layout->size < end ? end : layout->size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct visits visits = { .most = 1 + fuzz_take_u8(&in) };
	struct ic_goroutine_layout layout;
	struct ic_bytes memory;
	struct ic_error err = { 0 };

	take_layout(&in, &layout);
	const struct ic_goroutine_memory of = { .is_big_endian = fuzz_take_u8(&in) & 1,
						.read = read_memory,
						.context = &memory };
	fuzz_take_sections(&in, &memory, 1);
	if (!ic_goroutines_visit(&layout, &of, visit, &visits, &err))
		PROMISE_REASON(err);
	PROMISE(visits.count <= visits.most && visits.count <= memory.size / 8 + 1);
	fuzz_free_sections(&memory, 1);
	return 0;
}
