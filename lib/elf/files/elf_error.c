#include "elf/files/elf_error.h"

#include <errno.h>
#include <libelf.h>

bool ic_fail_libelf(struct ic_error *err, enum ic_error_code code, const char *path,
		    const char *action)
{
	int number = elf_errno();

	if (errno == ENOMEM)
		return ic_fail_memory(err);
	return ic_fail(err, code, "%s: cannot %s: %s", path, action,
		       number ? elf_errmsg(number) : "libelf gives no reason");
}
