// Local resources that are released at the end of their scope, however it is left.
#ifndef BASE_AUTO_H
#define BASE_AUTO_H

#include <unistd.h>

// IC_AUTO(ic_close_fd) int fd = open(...);
#define IC_AUTO(release) __attribute__((cleanup(release)))

static inline void ic_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#endif
