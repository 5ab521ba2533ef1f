// Call frame information (DWARF 5, 6.4): how to find, from the registers of a function, those of
// its caller. It is in .eh_frame, which programs carry for exceptions, and in .debug_frame.
//
// It is closed before its image. Any number of threads may use it, each with a reader of its own.
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
 * Finds the call frame information of an image. FDEs are read when they are asked for.
 *
 * @param image  Must stay open as long as the call frames are. .eh_frame is the file's own;
 *               .debug_frame may be in its debug file.
 * @param err    [out] Why not; may be NULL.
 *
 * @return To be closed with ic_call_frames_free(). NULL if there is none (IC_ERROR_NOT_FOUND), or
 *         memory is out. What cannot be read of it is a problem.
 */
IC_API struct ic_call_frames *ic_call_frames_open(struct ic_image *image, struct ic_error *err);

/** Closes call frames; NULL is allowed. */
IC_API void ic_call_frames_free(struct ic_call_frames *frames);

/** Problem number `number` of all that was read so far, as ic_index_problem_get() has it. */
IC_API bool ic_call_frames_problem_get(struct ic_call_frames *frames, size_t number,
				       struct ic_index_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
