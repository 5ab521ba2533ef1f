// Writes machine code into memory, lists it as JIT compilers do, and waits in a function that it
// calls.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
// push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
#elif defined(__aarch64__)
// stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret
static const unsigned code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 };
#endif

__attribute__((noinline)) void waits(void)
{
	puts("here");
	fflush(stdout);
	for (;;)
		pause();
}

struct header {
	unsigned magic, version, size, machine, unused, pid;
	unsigned long time, flags;
};

struct record {
	unsigned kind, size;
	unsigned long time;
};

struct lines {
	struct record record;
	unsigned long addr, count, line_addr;
	unsigned line, discriminator;
	char source[8];
};

struct load {
	struct record record;
	unsigned pid, tid;
	unsigned long vma, addr, size, number;
	char name[24];
};

// A jitdump, mapped so that perf notices it (jitdump-specification.txt of Linux).
static void write_dump(const char *directory, unsigned long addr)
{
	struct header header = { 0x4a695444, 1, sizeof(header), 0, 0, (unsigned)getpid(), 0, 0 };
	struct lines lines = { { 2, sizeof(lines), 0 }, addr, 1, addr, 42, 0, "code.x" };
	struct load load = { { 0, sizeof(load), 0 }, 0, 0, addr, addr, 64, 1, "compiled by dump" };
	char path[512];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid());
	FILE *dump = fopen(path, "w+e");
	fwrite(&header, sizeof(header), 1, dump);
	fwrite(&lines, sizeof(lines), 1, dump);
	fwrite(&load, sizeof(load), 1, dump);
	fwrite(&load, 8, 1, dump); // the next record is being written
	fflush(dump);
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0);
}

int main(int argc, char **argv)
{
	char path[64];
	unsigned char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *list = argc > 1 ? fopen(path, "we") : NULL;
	if (list) { // with what another function left there
		fprintf(list, "%lx 100 freed\n%lx 40 compiled a:1\n%s", (unsigned long)memory + 2,
			(unsigned long)memory, argv[1]);
		fclose(list);
	}
	if (argc > 2)
		write_dump(argv[2], (unsigned long)memory);
	memcpy(memory, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + sizeof(code));
	((void (*)(void (*)(void)))memory)(waits);
	return 0;
}
