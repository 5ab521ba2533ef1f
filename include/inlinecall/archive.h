// Archives of ELF files: static libraries (.a), Rust's .rlib, the built-in.a of kernels.
//
// An archive is a list of members; each can be opened as an image, which is independent of the
// archive: either may be closed first. An open archive holds its list and nothing else: no file
// and no mapping. Any number of threads may use it.
#ifndef INLINECALL_ARCHIVE_H
#define INLINECALL_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include <inlinecall/error.h>
#include <inlinecall/image.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_archive;

/**
 * Reads the list of an archive's members, as GNU, BSD and LLVM tools write it. Tables of symbols
 * and of names are no members. Thin archives are read too; their members are files of their own,
 * relative to the archive's directory.
 *
 * @param path  The archive. Copied.
 * @param err   [out] Why not; may be NULL. IC_ERROR_NOT_ELF where the file is no archive.
 *
 * @return The archive, to be closed with ic_archive_close(); NULL where the file cannot be read or
 *         is no archive, or memory is out. A fault inside it ends the list: see
 *         ic_archive_is_whole().
 *
 * Time: O(members), with two more system calls for each that is in an archive inside a thin one.
 *
 * Since: 0.1
 */
IC_API struct ic_archive *ic_archive_open(const char *path, struct ic_error *err);

/** Closes an archive; NULL is allowed. Since: 0.1 */
IC_API void ic_archive_close(struct ic_archive *archive);

/**
 * Whether all of the archive could be read.
 *
 * @param err  [out] Where not, the place and the reason; may be NULL.
 *
 * @return false where it is cut short or has a fault. The members before it are in the list.
 *
 * Since: 0.1
 */
IC_API bool ic_archive_is_whole(const struct ic_archive *archive, struct ic_error *err);

/** The path it was opened by. Since: 0.1 */
IC_API const char *ic_archive_path(const struct ic_archive *archive);

/** How many members there are, whatever they are. Since: 0.1 */
IC_API size_t ic_archive_count(const struct ic_archive *archive);

/**
 * The name of member `number`, from 0, in the order of the archive. Several may have the same; in
 * a thin archive it is a path. NULL where there are not so many. The archive's.
 *
 * Since: 0.1
 */
IC_API const char *ic_archive_member(const struct ic_archive *archive, size_t number);

/**
 * Opens a member, as ic_image_open() opens a file. The image's path is "ARCHIVE(MEMBER)".
 *
 * @param number   Below ic_archive_count().
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Why not; may be NULL.
 *
 * @return The image, to be closed with ic_image_close(); NULL as from ic_image_open(), and where
 *         there is no such member. An archive inside an archive is IC_ERROR_ARCHIVE; it is not
 *         read. A member without debug information is IC_ERROR_NO_DEBUG, or IC_ERROR_NO_CODE
 *         where it does not matter.
 *
 * Since: 0.1
 */
IC_API struct ic_image *ic_archive_image_open(const struct ic_archive *archive, size_t number,
					      const struct ic_image_options *options,
					      struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
