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
	memcpy(memory, code, sizeof(code));
	__builtin___clear_cache((char *)memory, (char *)memory + sizeof(code));
	((void (*)(void (*)(void)))memory)(waits);
	return 0;
}
