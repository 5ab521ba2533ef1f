// Opening ELF files: programs, libraries, relocatable objects, kernels and their modules.
//
// An image maps its file, and the separate file with its debug information if there is one, for
// as long as it is open; everything that is made from it borrows its strings. Any number of
// threads may use an image, and any number of indexes and symbolizers of it may be in use at the
// same time: they share its sections and its symbols.
//
// A mapped file must stay as it is. If another one takes its place (as linkers and package managers
// do it), nothing happens; if it is made shorter in place, a thread that reads the missing part
// gets the signal SIGBUS. The option read_files is for files that somebody may do that to.
#ifndef INLINECALL_IMAGE_H
#define INLINECALL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <inlinecall/error.h>
#include <inlinecall/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_image;
struct ic_debuginfod;

/** What says which functions and copies a file has. */
enum ic_image_source {
	/** DWARF; Go's tables for Go without DWARF, which is how Go programs are shipped. */
	IC_IMAGE_SOURCE_AUTO,
	/** DWARF and nothing else, of the file or its debug file. */
	IC_IMAGE_SOURCE_DWARF,
	/** The tables that Go's runtime has in each program; no debug file is looked for. */
	IC_IMAGE_SOURCE_GO,
};

struct ic_image_options {
	/** Directories with debug files, looked in before /usr/lib/debug: for
	 *  DIR/.build-id/ab/cdef.debug, DIR/path/of/file/NAME.debug and DIR/NAME.debug, and for
	 *  supplementary files of dwz also DIR/.dwz/MACHINE/NAME and DIR/.dwz/NAME. What perf keeps
	 *  of recorded programs is such a directory too: DIR/.build-id/ab/cdef/debug. */
	const char *const *debug_dirs;
	size_t debug_dir_count;
	/** Directories with .dwo files (split DWARF), looked in before the places that the program
	 *  names, and before its own directory: for DIR/NAME as the program has it, and for the
	 *  last part of NAME. */
	const char *const *dwo_dirs;
	size_t dwo_dir_count;
	/** The package with the split DWARF; NULL for FILE.dwp, if there is one. */
	const char *dwp_path;
	/** The client for files that are in no directory; NULL for none. See debuginfod.h. */
	struct ic_debuginfod *debuginfod;
	/** Open a file also if it has no debug information anywhere: its symbols still answer
	 *  for addresses (symbolizer.h). The paths tried are then not reported. */
	bool allow_no_debug;
	/** How much memory the image and all that is made of it may take, in bytes, for sections
	 *  that are decompressed and for tables; 0 for 16 times the size of its files, or 256 MiB
	 * if that is more. What would exceed it is left out, which is an error (IC_ERROR_LIMIT) or
	 * a problem, never a poorer answer. Mapped files do not count, nor do the answers to single
	 *  queries. */
	uint64_t max_memory;
	/** Read files into memory instead of mapping them: they may then be changed or cut short
	 *  while the image is open. Costs the time and the memory of reading all of them. */
	bool read_files;
	/** What its functions and copies are read from. */
	enum ic_image_source source;
};

/**
 * Opens a file. If it holds no DWARF itself, a separate debug file is found by its build ID, or
 * by its .gnu_debuglink, whose checksum must hold. For a symbolic link the latter is looked for
 * beside its target, then beside the link.
 *
 * @param path     The file. Copied.
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] The reason if it fails; may be NULL. For IC_ERROR_NO_DEBUG and
 *                 IC_ERROR_NO_CODE the message says which files were tried and why each failed.
 *
 * @return The image, to be closed with ic_image_free(); NULL if the file cannot be read, is
 *         not ELF, is cut short, or has no debug information anywhere (unless the options allow
 *         that), or memory is out. Of an
 *         archive, IC_ERROR_ARCHIVE says so; archive.h opens its members.
 */
IC_API struct ic_image *ic_image_open(const char *path, const struct ic_image_options *options,
				      struct ic_error *err);

/**
 * Opens a file that is open already, such as one of /proc/PID/map_files, or a memfd.
 *
 * @param fd       A regular file, of which everything is taken, whatever its position. It stays the
 *                 caller's, and may be closed afterwards.
 * @param path     What messages call the file. Debug files and .dwo files are looked for from
 *                 there, as if it had been opened by this path; it need not exist. Copied.
 *
 * @return As ic_image_open().
 */
IC_API struct ic_image *ic_image_open_fd(int fd, const char *path,
					 const struct ic_image_options *options,
					 struct ic_error *err);

/**
 * Opens the debug file with a build ID, where debug files are (ic_image_options::debug_dirs and
 * /usr/lib/debug), or else from servers, if the options have a client: for what is known of a file
 * that is not here. It has no code.
 *
 * @param build_id  Of `size` bytes.
 *
 * @return As ic_image_open(). IC_ERROR_NOT_FOUND if there is none.
 */
IC_API struct ic_image *ic_image_open_build_id(const uint8_t *build_id, size_t size,
					       const struct ic_image_options *options,
					       struct ic_error *err);

/**
 * Opens a file that is in memory, such as one out of a container image or a core.
 *
 * @param bytes    The whole file. Copied, which is its cost over ic_image_open().
 * @param path     As in ic_image_open_fd().
 *
 * @return As ic_image_open().
 */
IC_API struct ic_image *ic_image_open_memory(const void *bytes, size_t size, const char *path,
					     const struct ic_image_options *options,
					     struct ic_error *err);

/**
 * Closes an image, after everything made from it. NULL is allowed.
 */
IC_API void ic_image_free(struct ic_image *image);

/** The path it was opened by. */
IC_API const char *ic_image_path(const struct ic_image *image);

/** Whether it is a relocatable file, an object or a kernel module, whose sections all begin at 0.
 */
IC_API bool ic_image_is_relocatable(const struct ic_image *image);

/** The size of its addresses: 4 or 8 bytes. */
IC_API unsigned ic_image_addr_size(const struct ic_image *image);

/**
 * The build ID of the file, which its debug file has too.
 *
 * @param bytes  [out] As long-lived as the image; NULL if there are none.
 *
 * @return The number of bytes; 0 if the file has no build ID.
 */
IC_API size_t ic_image_build_id(const struct ic_image *image, const uint8_t **bytes);

/**
 * The address of a byte of the file that is loaded as code: profilers and crash reports may have
 * offsets in the file.
 *
 * @param addr  [out] As the file numbers addresses; the first one if segments overlap.
 *
 * @return false if no executable segment has the byte, as in relocatable files and in debug
 *         files without code.
 */
IC_API bool ic_image_addr_of_offset(const struct ic_image *image, uint64_t off, uint64_t *addr);

/**
 * Where a byte of code is in the file, the other way round: what BPF's stacks and perf's events
 * have.
 *
 * @param off  [out] The first one if segments overlap.
 *
 * @return false if no executable segment has the address, or the file has no byte for it; in
 *         relocatable files and in debug files without code.
 */
IC_API bool ic_image_offset_of_addr(const struct ic_image *image, uint64_t addr, uint64_t *off);

/** A symbol that is defined in the file. */
struct ic_image_symbol {
	const char *name;    /**< as long-lived as the image */
	uint64_t start, end; /**< addresses; the same if its size is not known */
	bool is_function;    /**< else data */
};

/**
 * Calls `visit` for each symbol that is defined in the file and has an address, in the order of its
 * tables: of .symtab, which may be the debug file's, or else those for the dynamic linker and those
 * in .gnu_debugdata.
 *
 * @param err  [out] Why not; may be NULL.
 *
 * @return false if some of them cannot be read, or memory is out; the others were visited.
 */
IC_API bool ic_image_list_symbols(struct ic_image *image,
				  void (*visit)(void *context,
						const struct ic_image_symbol *symbol),
				  void *context, struct ic_error *err);

/** The machine that it is for: EM_* of the ELF standard, as 62 for x86-64. */
IC_API unsigned ic_image_machine(const struct ic_image *image);

#ifdef __cplusplus
}
#endif

#endif
