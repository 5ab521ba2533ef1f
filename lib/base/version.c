#include <inlinecall/version.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const char *ic_version(void)
{
	return TEXT(IC_VERSION_MAJOR) "." TEXT(IC_VERSION_MINOR) "." TEXT(IC_VERSION_PATCH);
}
