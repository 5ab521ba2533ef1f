// Makes known calls of inlined functions of the kernel, each so often: their arguments are found in
// no other process. Static, for a machine that has nothing else.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	enum { DESCRIPTOR = 77, ANOTHER = 91, NANOSECONDS = 12347 };
	const struct timespec short_time = { 0, NANOSECONDS };
	int count = argc > 1 ? atoi(argv[1]) : 10;

	if (dup2(open(argv[0], O_RDONLY), DESCRIPTOR) < 0)
		return errno;
	for (int i = 0; i < count; i++) {
		lseek(DESCRIPTOR, i, SEEK_SET);  // fdget_pos(fd)
		fcntl(DESCRIPTOR, F_GETFD);      // fdget_raw(fd)
		fsync(DESCRIPTOR);               // fdget(fd)
		dup2(DESCRIPTOR, ANOTHER);       // __set_open_fd(fd, fdt)
		nanosleep(&short_time, NULL);    // timespec64_valid(ts)
	}
	return 0;
}
