// Debug files from debuginfod servers. Nothing is requested unless a program opens a client and
// opens images with it.
//
// Any number of threads may open images with one client: it makes one request at a time, and the
// others wait. libdebuginfod decides which servers are queried and where files are cached; the
// environment configures it: see debuginfod-client-config(7).
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
	/** Time budget for all requests of the client together; 0 for 90. When it is used up, no
	 *  more servers are queried. libdebuginfod 0.192 and later wait longer for a server that
	 *  does not respond at all, unless DEBUGINFOD_MAXTIME or DEBUGINFOD_TIMEOUT is set. */
	uint32_t seconds;
	/** Called at least about once a second while a request is in progress, on the thread that
	 *  opens the image. `name` is the file that the request is for; it is valid only during the
	 *  call. `done` and `total` are in bytes; `total` is 0 if unknown. Return false to cancel
	 *  the request: the file then counts as not found on any server, and the error says that
	 *  the request was cancelled. May be NULL. */
	bool (*progress)(void *context, const char *name, unsigned long long done,
			 unsigned long long total);
	void *progress_context;
};

#ifdef __cplusplus
}
#endif

#endif
