// Loaded before a program's libraries: a kernel before Linux 6.6, for which links of many uprobes
// are unknown.
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

enum { ATTACH_TYPE_AT = 2, UPROBE_MULTI = 48 }; // enum bpf_attach_type of Linux 6.6

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_bpf && (int)arguments[0] == BPF_LINK_CREATE &&
	    ((const uint32_t *)arguments[1])[ATTACH_TYPE_AT] == UPROBE_MULTI) {
		errno = EINVAL;
		return -1;
	}
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
		    arguments[5]);
}
