// Archives of ELF files: static libraries (.a), Rust's .rlib, the built-in.a of kernels.
//
// An archive is a list of members. Each can be opened as an image, which is independent of the
// archive: either may be closed first. An open archive holds only its list: no file and no mapping.
// Any number of threads may use it.
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
 * Reads the list of an archive's members, as written by GNU, BSD and LLVM tools. Symbol and name
 * tables are not members. Thin archives are read too; their members are separate files, relative to
 * the archive's directory.
 *
 * @param path  The archive. Copied.
 * @param err   [out] Set on failure; may be NULL. IC_ERROR_NOT_ELF if the file is not an archive.
 *
 * @return The archive, to be closed with ic_archive_free(); NULL if the file cannot be read or is
 *         not an archive, or memory runs out. An error inside it ends the list: see
 *         ic_archive_is_whole().
 *
 * Time: O(members), with two more system calls for each member of an archive inside a thin
 *       archive.
 */
IC_API struct ic_archive *ic_archive_open(const char *path, struct ic_error *err);

/** Closes an archive; NULL is allowed. */
IC_API void ic_archive_free(struct ic_archive *archive);

/**
 * Whether the whole archive could be read.
 *
 * @param err  [out] If not, the place and the reason; may be NULL.
 *
 * @return false if it is truncated or has an error. The members before that are in the list.
 */
IC_API bool ic_archive_is_whole(const struct ic_archive *archive, struct ic_error *err);

/** The path it was opened by. */
IC_API const char *ic_archive_path(const struct ic_archive *archive);

/** The number of members, of any type. */
IC_API size_t ic_archive_count(const struct ic_archive *archive);

/**
 * The name of member `number`, from 0, in archive order. Names need not be unique; in a thin
 * archive they are paths. NULL if there are fewer. Owned by the archive.
 */
IC_API const char *ic_archive_member(const struct ic_archive *archive, size_t number);

/**
 * Opens a member, as ic_image_open() opens a file. The image's path is "ARCHIVE(MEMBER)".
 *
 * @param number   Below ic_archive_count().
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The image, to be closed with ic_image_free(); NULL as for ic_image_open(), and if there
 *         is no such member. An archive inside an archive is not read: IC_ERROR_ARCHIVE. A member
 *         without debug information is IC_ERROR_NO_DEBUG, or IC_ERROR_NO_CODE if it has no code
 *         either.
 */
IC_API struct ic_image *ic_archive_image_open(const struct ic_archive *archive, size_t number,
					      const struct ic_image_options *options,
					      struct ic_error *err);

/**
 * An iterator over the members of an archive: all, or those with one name. For one thread at a
 * time.
 */
struct ic_members;

/**
 * Opens an archive to iterate over its members.
 *
 * @param path  The archive; or, if there is no such file, the archive and a member's name, as in
 *              "lib.a(member.o)", to select only that member. Copied.
 * @param err   [out] Set on failure; may be NULL. IC_ERROR_NOT_ELF if the file is not an archive.
 *
 * @return The iterator, to be closed with ic_members_free(); NULL if the file cannot be read or is
 *         not an archive, or memory runs out. Whether the named member exists is only known after
 *         the last one: see ic_members_check().
 */
IC_API struct ic_members *ic_members_open(const char *path, struct ic_error *err);

/** Closes the iterator and its archive, but none of the images; NULL is allowed. */
IC_API void ic_members_free(struct ic_members *members);

/** The archive, owned by the iterator. */
IC_API const struct ic_archive *ic_members_archive(const struct ic_members *members);

/** The selected name; NULL if all members are selected. Owned by the iterator. */
IC_API const char *ic_members_name(const struct ic_members *members);

/** The number of selected members, of any type: several may have the same name. */
IC_API size_t ic_members_count(const struct ic_members *members);

/** A member of an archive. */
struct ic_member {
	size_t number;    /**< its index in ic_archive_member() */
	const char *name; /**< owned by the archive */
	/** To be closed by the caller; NULL if the member could not be opened. */
	struct ic_image *image;
};

/**
 * Opens the next selected member. Members with neither code nor debug information, such as data or
 * compiler-internal files, are skipped unless selected by name.
 *
 * @param options  See ic_archive_image_open().
 * @param member   [out]
 * @param err      [out] Why the member could not be opened; may be NULL.
 *
 * @return false after the last one. For a member that cannot be opened, true without an image.
 */
IC_API bool ic_members_next(struct ic_members *members, const struct ic_image_options *options,
			    struct ic_member *member, struct ic_error *err);

/** Starts again at the first member. */
IC_API void ic_members_rewind(struct ic_members *members);

/**
 * Whether everything selected was found, to be called after the last member.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if the archive is truncated or has an error, or if no member has the name
 *         (IC_ERROR_NOT_FOUND).
 */
IC_API bool ic_members_check(const struct ic_members *members, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
