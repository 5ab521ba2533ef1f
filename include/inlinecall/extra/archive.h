// Archives of ELF files: static libraries (.a), Rust's .rlib, the built-in.a of kernels.
//
// An archive is a list of members; each can be opened as an image, which is independent of the
// archive: either may be closed first. An open archive holds its list and nothing else: no file
// and no mapping. Any number of threads may use it.
#ifndef INLINECALL_EXTRA_ARCHIVE_H
#define INLINECALL_EXTRA_ARCHIVE_H

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
 * @param err   [out] Set on failure; may be NULL. IC_ERROR_NOT_ELF where the file is no archive.
 *
 * @return The archive, to be closed with ic_archive_free(); NULL where the file cannot be read or
 *         is no archive, or memory runs out. A fault inside it ends the list: see
 *         ic_archive_is_whole().
 *
 * Time: O(members), with two more system calls for each that is in an archive inside a thin one.
 */
IC_API struct ic_archive *ic_archive_open(const char *path, struct ic_error *err);

/** Closes an archive; NULL is allowed. */
IC_API void ic_archive_free(struct ic_archive *archive);

/**
 * Whether all of the archive could be read.
 *
 * @param err  [out] Where not, the place and the reason; may be NULL.
 *
 * @return false where it is cut short or has a fault. The members before it are in the list.
 */
IC_API bool ic_archive_is_whole(const struct ic_archive *archive, struct ic_error *err);

/** The path it was opened by. */
IC_API const char *ic_archive_path(const struct ic_archive *archive);

/** How many members there are, whatever they are. */
IC_API size_t ic_archive_count(const struct ic_archive *archive);

/**
 * The name of member `number`, from 0, in the order of the archive. Several may have the same; in
 * a thin archive it is a path. NULL where there are not so many. The archive's.
 */
IC_API const char *ic_archive_member(const struct ic_archive *archive, size_t number);

/**
 * Opens a member, as ic_image_open() opens a file. The image's path is "ARCHIVE(MEMBER)".
 *
 * @param number   Below ic_archive_count().
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The image, to be closed with ic_image_free(); NULL as from ic_image_open(), and where
 *         there is no such member. An archive inside an archive is IC_ERROR_ARCHIVE; it is not
 *         read. A member without debug information is IC_ERROR_NO_DEBUG, or IC_ERROR_NO_CODE
 *         where it does not matter.
 */
IC_API struct ic_image *ic_archive_image_open(const struct ic_archive *archive, size_t number,
					      const struct ic_image_options *options,
					      struct ic_error *err);

/** The members of an archive, one after another: all, or those of one name. One thread at a time
 *  may use them. */
struct ic_members;

/**
 * Opens an archive to have its members one after another.
 *
 * @param path  The archive; or, if there is no such file, the archive and the name of a member, as
 *              in "lib.a(member.o)", which then is the only one that is meant. Copied.
 * @param err   [out] Set on failure; may be NULL. IC_ERROR_NOT_ELF if the file is no archive.
 *
 * @return To be closed with ic_members_free(); NULL if the file cannot be read or is no archive,
 * or memory runs out. Whether there is such a member is seen after the last one:
 * ic_members_check().
 */
IC_API struct ic_members *ic_members_open(const char *path, struct ic_error *err);

/** Closes the members and their archive, but none of the images; NULL is allowed. */
IC_API void ic_members_free(struct ic_members *members);

/** The archive that they are of, which they own. */
IC_API const struct ic_archive *ic_members_archive(const struct ic_members *members);

/** The name that is meant; NULL if all are. The members'. */
IC_API const char *ic_members_name(const struct ic_members *members);

/** How many are meant, whatever they are: several may have one name. */
IC_API size_t ic_members_count(const struct ic_members *members);

/** A member of an archive. */
struct ic_member {
	size_t number;          /**< as ic_archive_member() counts */
	const char *name;       /**< the archive's */
	struct ic_image *image; /**< to be closed by the caller; NULL if it is left out */
};

/**
 * Opens the next member that is meant. What has neither code nor debug information, such as data or
 * what a compiler keeps for itself, is skipped unless it is named.
 *
 * @param options  As of ic_archive_image_open().
 * @param member   [out]
 * @param err      [out] Why the member is left out; may be NULL.
 *
 * @return false after the last one. A member that cannot be opened is one too, without an image.
 */
IC_API bool ic_members_next(struct ic_members *members, const struct ic_image_options *options,
			    struct ic_member *member, struct ic_error *err);

/** Begins again with the first member. */
IC_API void ic_members_rewind(struct ic_members *members);

/**
 * Whether there was all that is meant, after the last one was asked for.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if the archive is cut short or has a fault, or if no member has the name
 *         (IC_ERROR_NOT_FOUND).
 */
IC_API bool ic_members_check(const struct ic_members *members, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
