// A function that was inlined, and whose own code was then folded into an identical function:
// the debug information describes the copy, and only the symbol is left of the function itself.
volatile int sink;

__attribute__((noinline)) int kept(int a)
{
	return sink + a;
}

static inline __attribute__((always_inline)) int folded(int a)
{
	return sink + a;
}

asm("	.globl folded\n"
    "	.set folded, kept\n");

int main(int argc, char **argv)
{
	return argv ? folded(argc) : kept(argc);
}
