// Functions that only the symbol table knows: another name of one, and one without debug
// information.
volatile int sink;

__attribute__((noinline)) int real_entry(int a)
{
	sink += a;
	return sink;
}

extern int other_name(int a) __attribute__((alias("real_entry")));

int bare(void);

asm(".text\n"
    "	.globl bare\n"
    "	.type bare, %function\n"
    "bare:\n"
    "	.zero 16\n"
    "	.size bare, 16\n");

int main(int argc, char **argv)
{
	return argv ? real_entry(argc) : bare();
}
