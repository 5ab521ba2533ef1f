// Debug files from servers, by debuginfod's protocol: nothing is asked for unless a program opens
// such a client and opens images with it.
//
// Any number of threads may open images with one client: it makes one request at a time, and the
// others wait. Which servers are asked, and where files are kept, is
// libdebuginfod's business, and set in the environment: see debuginfod-client-config(7).
#ifndef INLINECALL_DEBUGINFOD_H
#define INLINECALL_DEBUGINFOD_H

#include <stdbool.h>
#include <stdint.h>

#include <inlinecall/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_debuginfod;

struct ic_debuginfod_options {
	/** For all requests of the client together; 0 for 90. Once they are used up no server is
	 *  asked any more. libdebuginfod 0.192 and later wait longer for a server that does not
	 *  answer at all, unless DEBUGINFOD_MAXTIME or DEBUGINFOD_TIMEOUT is set. */
	uint32_t seconds;
	/** Called about once a second or more often while a request is under way, by the thread
	 * that opens the image, with the name of the file that it is for, which is gone when the
	 * call returns, and bytes done of all, 0 if that is not known; false ends the request,
	 * as if no server had the file, and the reason says so. May be NULL. */
	bool (*progress)(void *context, const char *name, unsigned long long done,
			 unsigned long long total);
	void *progress_context;
};

#ifdef __cplusplus
}
#endif

#endif
