// Call frame information (DWARF 5, 6.4): how to recover the caller's registers from those of a
// function. It is in .eh_frame, which programs carry for exceptions, and in .debug_frame. SFrame,
// in .sframe, only has the CFA, the return address and the frame pointer.
//
// Close it before its image. Any number of threads may use it, each with its own reader.
#ifndef INLINECALL_CALL_FRAMES_H
#define INLINECALL_CALL_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/image.h>
#include <inlinecall/index.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_call_frames;

/**
 * Opens the call frame information of an image. FDEs are read on demand.
 *
 * @param image  Must stay open as long as the call frames. .eh_frame and .sframe are read from the
 *               file itself; .debug_frame may be in its debug file.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return The call frames, to be closed with ic_call_frames_free(). NULL if there are none
 *         (IC_ERROR_NOT_FOUND), or memory runs out. Unreadable parts become problems.
 */
IC_API struct ic_call_frames *ic_call_frames_open(struct ic_image *image, struct ic_error *err);

/** Closes call frames; NULL is allowed. */
IC_API void ic_call_frames_free(struct ic_call_frames *frames);

/** Gets problem number `number` of those found so far, like ic_index_problem_get(). */
IC_API bool ic_call_frames_problem_get(struct ic_call_frames *frames, size_t number,
				       struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
