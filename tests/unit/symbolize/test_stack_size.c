// How much stack a lookup in what is decoded needs, as docs/library.md has it: signal handlers and
// fibres have little.
#include "unit_test.h"

#include <pthread.h>
#include <sys/mman.h>

#include <inlinecall/space.h>

#include "fixtures/elf.h"
#include "fixtures/lookup.h"

enum { CODE_SIZE = 0x1000, PAGE = 0x1000, STACK_SIZE = 1 << 18, PAINT = 0xa5 };

// Sanitizers and builds without optimization need more.
#ifdef __has_feature
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif
#ifdef __OPTIMIZE__
#define IS_OPTIMIZED true
#else
#define IS_OPTIMIZED false
#endif

struct looked_up {
	struct ic_symbolizer *symbolizer;
	struct ic_space *space;
};

static void *look_up_in_file(void *context)
{
	const struct looked_up *in = context;
	struct ic_frame frames[4];

	return ic_symbolizer_frames_at(in->symbolizer, CODE_START + 0x18, frames, 4) > 0 ? context
											 : NULL;
}

static void *look_up_in_space(void *context)
{
	const struct looked_up *in = context;
	const uint64_t addr = CODE_START + 0x18;
	struct ic_space_answers *answers = ic_space_find(in->space, &addr, 1, NULL);
	struct ic_space_answer answer = { .frame_count = 0 };

	if (answers)
		ic_space_answers_get(answers, 0, &answer);
	bool is_found = answer.frame_count > 0;
	ic_space_answers_free(answers);
	return is_found ? context : NULL;
}

struct measured { // by a thread of its own stack, before what it needs to end
	void *(*run)(void *);
	struct looked_up *in;
	const unsigned char *stack;
	size_t used; // bytes below its first function
};

static void *measure(void *context)
{
	struct measured *measured = context;
	unsigned char here = 0;
	size_t unused = 0;

	if (measured->run(measured->in) != measured->in)
		return NULL;
	while (measured->stack[unused] == PAINT)
		unused++;
	measured->used = (uintptr_t)&here - (uintptr_t)(measured->stack + unused);
	return context;
}

// How many bytes of stack this writes.
static size_t stack_used(void *(*run)(void *), struct looked_up *in)
{
	unsigned char *stack =
		mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct measured measured = { .run = run, .in = in, .stack = stack };
	pthread_attr_t attributes;
	pthread_t thread;
	void *result;

	assert_true(stack != MAP_FAILED);
	memset(stack, PAINT, STACK_SIZE);
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_SIZE), 0);
	assert_int_equal(pthread_create(&thread, &attributes, measure, &measured), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, &measured);
	pthread_attr_destroy(&attributes);
	munmap(stack, STACK_SIZE);
	return measured.used;
}

static const char *write_program(void)
{
	struct elf_builder *elf = elf_builder_new((struct elf_format){
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC, .segments = true });
	struct dwarf_builder *dw = scan_builder(5);

	program_put(dw, &(struct program_unit){ .name = "a.c", .start = CODE_START });
	elf_add_code(elf, ".text", CODE_START, CODE_SIZE);
	elf_add_dwarf(elf, dw);
	dwarf_builder_free(dw);
	return elf_end_at(elf, "program");
}

TEST(a_look_up_needs_a_page_of_stack_and_one_in_a_space_two)
{
	struct ic_modules *modules = ic_modules_new(NULL, NULL);
	struct ic_image *image = ic_image_open(write_program(), NULL, NULL);
	struct looked_up in = { ic_symbolizer_new(image, NULL, NULL), ic_space_new(modules, NULL) };
	struct ic_space_mapping mapping = { .start = CODE_START,
					    .end = CODE_START + CODE_SIZE,
					    .path = ic_image_path(image) };

	assert_true(ic_image_offset_of_addr(image, CODE_START, &mapping.offset));
	assert_true(ic_space_add(in.space, &mapping, NULL));
	for (int i = 0; i < 50; i++) { // the first few read a unit each time
		assert_ptr_equal(look_up_in_file(&in), &in);
		assert_ptr_equal(look_up_in_space(&in), &in);
	}
	size_t file = stack_used(look_up_in_file, &in), space = stack_used(look_up_in_space, &in);
	if (IS_OPTIMIZED && !IS_SANITIZED) {
		assert_in_range(file, 1, PAGE);
		assert_in_range(space, 1, 2 * PAGE);
	}
	ic_space_free(in.space);
	ic_symbolizer_free(in.symbolizer);
	ic_image_free(image);
	ic_modules_free(modules);
}

UNIT_TESTS(symbolize_stack_size)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_up_needs_a_page_of_stack_and_one_in_a_space_two),
	};

	return cmocka_run_group_tests(tests, temp_dir_make, temp_dir_remove);
}
