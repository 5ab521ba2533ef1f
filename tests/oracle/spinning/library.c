// A library whose functions have copies, and a program with copies of the same ones.
#include "spin.h"

#include "library.h"

void from_library(struct spent *spent)
{
	shared(&spent->library_shared);
	SPIN(spent->library, -, 9000);
}
