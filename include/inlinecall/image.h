// Opening ELF files: programs, libraries, relocatable objects, kernels and kernel modules.
//
// An image maps its file, and the separate debug file if there is one, for as long as it is open.
// Everything made from it borrows its strings. Any number of threads may use an image, and any
// number of its indexes and symbolizers may be in use at the same time: they share its sections and
// symbols.
//
// A mapped file must not change. Replacing it by another file (as linkers and package managers do)
// is harmless; if it is truncated in place, a thread that reads the missing part gets SIGBUS. Use
// the option read_files for files that might be truncated.
#ifndef INLINECALL_IMAGE_H
#define INLINECALL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/error.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_image;
struct ic_debuginfod;

/** Where the functions and copies of a file are read from. */
enum ic_image_source {
	/** DWARF; for a Go program without DWARF, as most are shipped, Go's own tables. */
	IC_IMAGE_SOURCE_AUTO,
	/** Only DWARF, from the file or its debug file. */
	IC_IMAGE_SOURCE_DWARF,
	/** The tables that the Go runtime keeps in every program; no debug file is searched for. */
	IC_IMAGE_SOURCE_GO,
};

struct ic_image_options {
	/** Directories with debug files, searched before /usr/lib/debug: for
	 *  DIR/.build-id/ab/cdef.debug, DIR/path/of/file/NAME.debug and DIR/NAME.debug, and for
	 *  supplementary files of dwz also for DIR/.dwz/MACHINE/NAME and DIR/.dwz/NAME. perf's
	 *  build ID cache works as such a directory too: DIR/.build-id/ab/cdef/debug. */
	const char *const *debug_dirs;
	size_t debug_dir_count;
	/** Directories with .dwo files (split DWARF), searched for DIR/NAME with NAME as the
	 *  program has it, and for the last component of NAME. They are searched before the path
	 *  that the program names, and before the program's own directory. */
	const char *const *dwo_dirs;
	size_t dwo_dir_count;
	/** The package with the split DWARF; NULL for FILE.dwp, if it exists. */
	const char *dwp_path;
	/** The client for files that are in no directory; NULL for none. See debuginfod.h. */
	struct ic_debuginfod *debuginfod;
	/** Open a file even if no debug information is found: its symbols can still answer address
	 *  lookups (symbolizer.h). The paths tried are then not reported. */
	bool allow_no_debug;
	/** Memory limit in bytes for the image and everything made from it, for decompressed
	 *  sections and tables; 0 for 16 times the size of its files, or 256 MiB if that is more.
	 *  Data that would exceed it is left out and always reported, as an error (IC_ERROR_LIMIT)
	 *  or a problem. Mapped files do not count, nor do the results of single queries. */
	uint64_t max_memory;
	/** Read files into memory instead of mapping them, so that they may be changed or truncated
	 *  while the image is open. Costs the time and memory of reading all of them. */
	bool read_files;
	/** Where functions and copies are read from. */
	enum ic_image_source source;
};

/**
 * Opens a file. If it has no DWARF itself, a separate debug file is searched for by build ID, or by
 * .gnu_debuglink, whose checksum must match. If the path is a symbolic link, the .gnu_debuglink
 * file is searched for next to its target, then next to the link.
 *
 * @param path     The file. Copied.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL. For IC_ERROR_NO_DEBUG and IC_ERROR_NO_CODE the
 *                 message lists the files that were tried and why each failed.
 *
 * @return The image, to be closed with ic_image_free(); NULL if the file cannot be read, is not
 *         ELF, is truncated, or has no debug information anywhere (unless the options allow that),
 *         or memory runs out. For an archive the error is IC_ERROR_ARCHIVE; archive.h opens its
 *         members.
 */
IC_API struct ic_image *ic_image_open(const char *path, const struct ic_image_options *options,
				      struct ic_error *err);

/**
 * Opens a file by its descriptor, such as one from /proc/PID/map_files, or a memfd.
 *
 * @param fd    A regular file. It is read as a whole, whatever its file offset. It remains the
 *              caller's, who may close it afterwards.
 * @param path  The name to use in messages. Debug files and .dwo files are searched for as if the
 *              file had been opened by this path; it need not exist. Copied.
 *
 * @return See ic_image_open().
 */
IC_API struct ic_image *ic_image_open_fd(int fd, const char *path,
					 const struct ic_image_options *options,
					 struct ic_error *err);

/**
 * Opens the debug file with the given build ID, from the debug directories
 * (ic_image_options::debug_dirs and /usr/lib/debug), or else from servers if the options have a
 * client. This serves files that are not on this machine. The image has no code.
 *
 * @param build_id  `size` bytes.
 *
 * @return See ic_image_open(). IC_ERROR_NOT_FOUND if no file is found.
 */
IC_API struct ic_image *ic_image_open_build_id(const uint8_t *build_id, size_t size,
					       const struct ic_image_options *options,
					       struct ic_error *err);

/**
 * Opens a file that is in memory, such as one from a container image or a core.
 *
 * @param bytes  The whole file. Copied: that is the extra cost over ic_image_open().
 * @param path   See ic_image_open_fd().
 *
 * @return See ic_image_open().
 */
IC_API struct ic_image *ic_image_open_memory(const void *bytes, size_t size, const char *path,
					     const struct ic_image_options *options,
					     struct ic_error *err);

/**
 * Closes an image. Everything made from it must be freed first. NULL is allowed.
 */
IC_API void ic_image_free(struct ic_image *image);

/** The path it was opened by. */
IC_API const char *ic_image_path(const struct ic_image *image);

/**
 * Whether it is a relocatable file (an object or a kernel module), whose sections all start at 0.
 */
IC_API bool ic_image_is_relocatable(const struct ic_image *image);

/** The size of its addresses: 4 or 8 bytes. */
IC_API unsigned ic_image_addr_size(const struct ic_image *image);

/**
 * The build ID of the file. Its debug file has the same.
 *
 * @param bytes  [out] Valid as long as the image; NULL if there is no build ID.
 *
 * @return The number of bytes; 0 if the file has no build ID.
 */
IC_API size_t ic_image_build_id(const struct ic_image *image, const uint8_t **bytes);

/**
 * Converts a file offset into the address of that byte of code. Profilers and crash reports may
 * have file offsets.
 *
 * @param addr  [out] As the file numbers addresses. If segments overlap, the first match.
 *
 * @return false if no executable segment contains the offset, as in relocatable files and in debug
 *         files without code.
 */
IC_API bool ic_image_addr_of_offset(const struct ic_image *image, uint64_t off, uint64_t *addr);

/**
 * Converts an address of code into a file offset, the reverse of ic_image_addr_of_offset(). BPF's
 * stacks and perf's events have such offsets.
 *
 * @param off  [out] If segments overlap, the first match.
 *
 * @return false if no executable segment contains the address, or the file has no byte for it, as
 *         in relocatable files and in debug files without code.
 */
IC_API bool ic_image_offset_of_addr(const struct ic_image *image, uint64_t addr, uint64_t *off);

/** A symbol defined in the file. */
struct ic_image_symbol {
	const char *name;    /**< valid as long as the image */
	uint64_t start, end; /**< addresses; equal if the size is unknown */
	bool is_function;    /**< otherwise data */
};

/**
 * Calls `visit` for each symbol that is defined in the file and has an address, in table order:
 * those of .symtab, which may be the debug file's, or else the dynamic symbols and those of
 * .gnu_debugdata.
 *
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if some symbols cannot be read, or memory runs out; the others were visited.
 */
IC_API bool ic_image_list_symbols(struct ic_image *image,
				  void (*visit)(void *context,
						const struct ic_image_symbol *symbol),
				  void *context, struct ic_error *err);

/** The machine that the file is for: EM_* of the ELF standard, such as 62 for x86-64. */
IC_API unsigned ic_image_machine(const struct ic_image *image);

#ifdef __cplusplus
}
#endif

#endif
