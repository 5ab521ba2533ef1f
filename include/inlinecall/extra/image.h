// More of inlinecall/image.h: sections, functions and copies of a file.
#ifndef INLINECALL_EXTRA_IMAGE_H
#define INLINECALL_EXTRA_IMAGE_H

#include <inlinecall/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The path of the file that its DWARF comes from: its own, or the separate one. */
IC_API const char *ic_image_debug_path(const struct ic_image *image);

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
 * @param err    [out] Set on failure; may be NULL.
 *
 * @return false if memory runs out.
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
 * @param err    [out] Set on failure; may be NULL. IC_ERROR_NOT_FOUND if the file has no such
 * table, as modules, whose sections are not linked, and kernels without the tracer.
 *
 * @return false if there is none, or memory runs out.
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
 * @param err    [out] Set on failure; may be NULL. IC_ERROR_NOT_FOUND if the file has no such
 * section; IC_ERROR_MALFORMED if it has none, and one whose header is damaged.
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
 * @param err  [out] Set on failure; may be NULL.
 *
 * @return false if a section of that name is loaded into memory, or has the names of sections
 *         (IC_ERROR_UNSUPPORTED), the section
 *         headers are not in the file, it could not be written, or memory runs out.
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
