#include "library.h"

NOINLINE static void from_program(struct spent *spent)
{
	shared(&spent->program_shared);
	__asm__ volatile("");
}

int main(void)
{
	struct spent spent = { 0, 0, 0 };

	for (double began = now(); now() - began < SECONDS;) {
		from_library(&spent);
		from_program(&spent);
		from_program(&spent);
	}
	PRINT("from_library", spent.library);
	PRINT("from_library;shared", spent.library_shared);
	PRINT("from_program;shared", spent.program_shared);
	return 0;
}
