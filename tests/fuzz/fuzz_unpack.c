// Fuzzes the decompression of whole files, as kernel modules are installed.
// Wanted: other files are left alone; of compressed ones the contents, or a reason why not, in
// proportionate memory.
#include "elf/files/unpack.h"

#include <sys/mman.h>

#include "fuzz_input.h"

enum { MOST_EXPANSION = 64, SMALLEST_ROOM = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_error err = { 0 };
	struct ic_mapping mapping;

	if (size == 0)
		return 0;
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		abort();
	memcpy(pages, data, size);
	mapping = (struct ic_mapping){ pages, size, pages, size };
	if (!ic_mapping_unpack(&mapping, "fuzz", &err)) {
		PROMISE_REASON(err);
		PROMISE(mapping.data == pages && mapping.size == size);
	} else if (mapping.data != pages) {
		PROMISE(mapping.size > 0 && mapping.size <= mapping.pages_size);
		PROMISE(mapping.size <= size * MOST_EXPANSION + SMALLEST_ROOM);
		unsigned sum = 0; // all of it can be read
		for (size_t i = 0; i < mapping.size; i++)
			sum += mapping.data[i];
		PROMISE(sum <= mapping.size * 255);
	}
	ic_mapping_close(&mapping);
	return 0;
}
