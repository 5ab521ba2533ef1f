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
 * @return The image, to be closed with ic_image_close(); NULL if the file cannot be read, is
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
IC_API void ic_image_close(struct ic_image *image);

/** The path it was opened by. */
IC_API const char *ic_image_path(const struct ic_image *image);

/** The path of the file that its DWARF comes from: its own, or the separate one. */
IC_API const char *ic_image_debug_path(const struct ic_image *image);

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

/**
 * What the file has of code: segment number `number`, from 0, that can be executed.
 *
 * @param range  [out] Of addresses, as the file numbers them.
 * @param off    [out] In the file, of its first byte.
 *
 * @return false if there are not so many; relocatable files have none.
 */
IC_API bool ic_image_code_segment(const struct ic_image *image, size_t number,
				  struct ic_range *range, uint64_t *off);

/**
 * Lists the start addresses of functions with a global or weak symbol. Other files may call them by
 * name, so compilers keep their calling convention and their result.
 *
 * @param addrs  [out] As the ELF file numbers them, sorted, perhaps some twice; to be freed with
 *               free(). Symbols that cannot be read are left out.
 * @param count  [out] How many there are.
 * @param err    [out] The reason if it fails; may be NULL.
 *
 * @return false if memory is out.
 *
 * Time: that of one pass over all symbols.
 */
IC_API bool ic_image_global_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
				      struct ic_error *err);

/**
 * Lists where a Linux kernel can trace functions: each begins with a call of the tracer, or with
 * room for one (scripts/recordmcount.c in its source). It refuses kprobes in other functions unless
 * it is built with CONFIG_KPROBE_EVENTS_ON_NOTRACE.
 *
 * @param addrs  [out] As the ELF file numbers them, sorted; to be freed with free().
 * @param count  [out] How many there are.
 * @param err    [out] Why not; may be NULL. IC_ERROR_NOT_FOUND if the file has no such table, as
 *               modules, whose sections are not linked, and kernels without the tracer.
 *
 * @return false if there is none, or memory is out.
 *
 * Time: that of one pass over all symbols.
 */
IC_API bool ic_image_traced_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
				      struct ic_error *err);

/**
 * Finds a section of the file by its name, decompressed and relocated.
 *
 * @param bytes  [out] As long-lived as the image; NULL if there is none.
 * @param size   [out] In bytes.
 * @param err    [out] Why not; may be NULL. IC_ERROR_NOT_FOUND if the file has no such section;
 *               IC_ERROR_MALFORMED if it has none, and one whose header is damaged.
 *
 * @return false if there is none, or it cannot be read. Of several with the name, the first one
 *         that is not in a group is meant.
 */
IC_API bool ic_image_section(struct ic_image *image, const char *name, const void **bytes,
			     size_t *size, struct ic_error *err);

/** A section to add to a copy of a file. */
struct ic_image_addition {
	const char *name;
	const void *bytes;
	size_t size;
};

/**
 * Writes a copy of the file with more sections, which are not loaded into memory. What the file has
 * stays where it is, byte for byte; a section of one of the names is replaced, and what follows it
 * closes up if it is not loaded.
 *
 * @param out  Whether all could be written, ferror() says as well.
 * @param err  [out] Why not; may be NULL.
 *
 * @return false if a section of that name is loaded into memory, or has the names of sections
 *         (IC_ERROR_UNSUPPORTED), the section
 *         headers are not in the file, it could not be written, or memory is out.
 */
IC_API bool ic_image_write(const struct ic_image *image, const struct ic_image_addition *additions,
			   size_t count, FILE *out, struct ic_error *err);

/**
 * Writes a copy of the file that names its debug file, in .gnu_debuglink, so that debuggers find
 * that without a build ID. It is found beside the copy, and in directories for debug files.
 *
 * @param name        Of the debug file, without a directory.
 * @param debug_file  The bytes of the debug file; the section has their checksum.
 * @param size        Of the debug file, in bytes.
 *
 * @return As ic_image_write().
 */
IC_API bool ic_image_write_link(const struct ic_image *image, const char *name,
				const void *debug_file, size_t size, FILE *out,
				struct ic_error *err);

/** The machine that it is for: EM_* of the ELF standard, as 62 for x86-64. */
IC_API unsigned ic_image_machine(const struct ic_image *image);

/**
 * The address of an instruction for one that a program has in a register or on its stack. ARM and
 * MIPS have two instruction sets, and bit 0 of such an address says which one the code is in:
 * Thumb, or microMIPS and MIPS16. It is cleared; on other machines the address stays as it is.
 */
IC_API uint64_t ic_image_code_addr(const struct ic_image *image, uint64_t addr);

#ifdef __cplusplus
}
#endif

#endif
