// More of inlinecall/image.h: sections and functions of a file, and copies of the file.
#ifndef INLINECALL_EXTRA_IMAGE_H
#define INLINECALL_EXTRA_IMAGE_H

#include <stdio.h>

#include <inlinecall/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The checksum of the file's bytes, without its debug file: CRC-64 of ECMA-182, as in .xz files. It
 * serves to recognise files without a build ID.
 *
 * Time: that of reading the whole file.
 */
IC_API uint64_t ic_image_checksum(const struct ic_image *image);

/** The path of the file with the DWARF: its own, or the separate debug file. */
IC_API const char *ic_image_debug_path(const struct ic_image *image);

/**
 * Gets executable segment number `number`, from 0.
 *
 * @param range  [out] Its addresses, as the file numbers them.
 * @param off    [out] The file offset of its first byte.
 *
 * @return false if there are fewer; relocatable files have none.
 */
IC_API bool ic_image_code_segment(const struct ic_image *image, size_t number,
				  struct ic_range *range, uint64_t *off);

/** The package that a file is from. */
struct ic_image_package {
	char name[256];    /**< what does not fit is cut off, here and there */
	char version[128]; /**< "" if unknown */
};

/**
 * Finds the package of a file, by the note that distributions may add to it: the metadata for ELF
 * packages of the UAPI group (owner "FDO", type 0xcafe1a7e).
 *
 * @param package  [out] Undefined if there is none.
 *
 * @return false if the file has no such note, or one that is malformed.
 */
IC_API bool ic_image_package(const struct ic_image *image, struct ic_image_package *package);

/**
 * Lists the start addresses of functions with a global or weak symbol. Other files may call them by
 * name, so compilers preserve their calling convention and result.
 *
 * @param addrs  [out] As the ELF file numbers them, sorted, possibly with duplicates; release with
 *               free(). Unreadable symbols are left out.
 * @param count  [out] The number of addresses.
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
 *
 * Time: one pass over all symbols.
 */
IC_API bool ic_image_global_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
				      struct ic_error *err);

/**
 * Lists where a Linux kernel can trace functions: each starts with a call of the tracer, or with
 * room for one (scripts/recordmcount.c in its source). The kernel rejects kprobes in other
 * functions unless it is built with CONFIG_KPROBE_EVENTS_ON_NOTRACE.
 *
 * @param addrs  [out] As the ELF file numbers them, sorted; release with free().
 * @param count  [out] The number of addresses.
 * @param err    [out] Set on failure; may be NULL. IC_ERROR_NOT_FOUND if the file has no such
 *               table, as modules, whose sections are not linked, and kernels without the tracer.
 *
 * @return false if there is none, or memory runs out.
 *
 * Time: one pass over all symbols.
 */
IC_API bool ic_image_traced_functions(struct ic_image *image, uint64_t **addrs, size_t *count,
				      struct ic_error *err);

/**
 * Gets a section of the file by name, decompressed and relocated. If several have the name, the
 * first one that is not in a group.
 *
 * @param bytes  [out] Valid as long as the image; NULL if there is none.
 * @param size   [out] In bytes.
 * @param err    [out] Set on failure; may be NULL. IC_ERROR_NOT_FOUND if the file has no such
 *               section; IC_ERROR_MALFORMED if it has none, and one whose header is damaged.
 *
 * @return false if there is none, or it cannot be read.
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
 * Writes a copy of the file with additional sections, which are not loaded into memory. The rest of
 * the file keeps its place, byte for byte; a section with the same name is replaced, and what
 * follows it moves up if it is not loaded.
 *
 * @param out  Write errors are also indicated by ferror().
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if a section with the same name is loaded into memory or holds the section names
 *         (IC_ERROR_UNSUPPORTED), the section headers are not in the file, it could not be written,
 *         or memory runs out.
 */
IC_API bool ic_image_write(const struct ic_image *image, const struct ic_image_addition *additions,
			   size_t count, FILE *out, struct ic_error *err);

/**
 * Writes a copy of the file that names its debug file in .gnu_debuglink, so that debuggers find it
 * without a build ID: next to the copy, and in debug file directories.
 *
 * @param name        Of the debug file, without a directory.
 * @param debug_file  The bytes of the debug file; the section records their checksum.
 * @param size        Of the debug file, in bytes.
 *
 * @return See ic_image_write().
 */
IC_API bool ic_image_write_link(const struct ic_image *image, const char *name,
				const void *debug_file, size_t size, FILE *out,
				struct ic_error *err);

/**
 * Converts a code address from a register or stack into the address of the instruction. ARM and
 * MIPS have two instruction sets, and bit 0 of such an address selects the one the code is in:
 * Thumb, or microMIPS and MIPS16. It is cleared; on other machines the address is unchanged.
 */
IC_API uint64_t ic_image_code_addr(const struct ic_image *image, uint64_t addr);

#ifdef __cplusplus
}
#endif

#endif
