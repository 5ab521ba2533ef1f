// More of inlinecall/debuginfod.h: opening and closing clients.
#ifndef INLINECALL_EXTRA_DEBUGINFOD_H
#define INLINECALL_EXTRA_DEBUGINFOD_H

#include <inlinecall/debuginfod.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether this library was built with debuginfod support. */
IC_API bool ic_debuginfod_is_built(void);

/**
 * Opens a client. This makes no request, and loads no library.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL. IC_ERROR_UNSUPPORTED if this library was built
 *                 without debuginfod support.
 *
 * @return The client, for ic_image_options, to be closed with ic_debuginfod_free(); NULL on
 *         failure.
 */
IC_API struct ic_debuginfod *ic_debuginfod_open(const struct ic_debuginfod_options *options,
						struct ic_error *err);

/** Closes a client; NULL is allowed. Images opened with it may remain open. */
IC_API void ic_debuginfod_free(struct ic_debuginfod *client);

#ifdef __cplusplus
}
#endif

#endif
