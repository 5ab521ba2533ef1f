// GSYM and Breakpad files: the inputs of the targets on these, and of those on whole files.
#include "corpus.h"
#include "gsym_builder.h"

#include <stdio.h>
#include <string.h>

static const char breakpad[] =
	"MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 prog\n"
	"INFO CODE_ID 67452301AB89EFCD0123456789ABCDEF01020304\n"
	"FILE 0 a.c\n"
	"FILE 7 dir/b.h\n"
	"INLINE_ORIGIN 0 leaf\n"
	"INLINE_ORIGIN 1 3 ns::inner(int)\n"
	"FUNC 1000 40 0 main\n"
	"INLINE 0 12 7 0 1010 10 1028 4\n"
	"INLINE 1 13 -1 1 1014 8\n"
	"1000 10 3 0\n"
	"1010 18 5 7\n"
	"1028 18 4 0\n"
	"FUNC m 2000 20 8 other\n"
	"INLINE 0 9 0 2008 8\n"
	"2000 20 8 0\n"
	"PUBLIC 1800 0 start\n"
	"STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa 8 - ^\n"
	"STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa 16 - ^\n"
	"STACK CFI 1004 .cfa: $rbp $rbx: $rsp 8 + ^ $r12: .undef $r13: $rax .ra: .cfa -8 + ^\n"
	"STACK WIN 4 2000 20 1 0 0 0 0 0 1 $eip 4 + ^ =\n";

void corpus_write_symbol_files(const struct corpus *corpus)
{
	static const char *const targets[] = { "fuzz_file", "fuzz_emit", "fuzz_addr", "fuzz_lint" };
	const struct bytes text = { (const uint8_t *)breakpad, strlen(breakpad) };
	const struct bytes none = { NULL, 0 };

	corpus_put(corpus, "fuzz_breakpad", "small", none, &text, 1);
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		corpus_put(corpus, targets[i], "breakpad", none, &text, 1);
	for (unsigned version = 1; version <= 2; version++) {
		struct byte_buffer built = gsym_build(version, version == 2);
		const struct bytes bytes = byte_buffer_view(&built);
		char name[16];
		snprintf(name, sizeof(name), "gsym-%u", version); // the second one is big-endian
		corpus_put(corpus, "fuzz_gsym", name, none, &bytes, 1);
		for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
			corpus_put(corpus, targets[i], name, none, &bytes, 1);
		byte_buffer_deinit(&built);
	}
}
