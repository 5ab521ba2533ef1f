// Code addresses in text: kernel logs, stack traces, perf script output. The known formats are
// listed in inlinecall-addr(1), under --filter.
//
// Text is read line by line, because a line can affect those after it: below "Call Trace:" there
// are return addresses. A line may mention several places. No file is opened here: callers who have
// the files look the places up in their symbolizers.
//
// An object is for one thread at a time; there may be any number of objects.
#ifndef INLINECALL_EXTRA_MENTIONS_H
#define INLINECALL_EXTRA_MENTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/error.h>
#include <inlinecall/extra/span.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_mentions;

struct ic_mentions_options {
	/** Treat addresses as return addresses if the text does not say what they are. */
	bool return_addresses;
};

/** What an offset in an object is relative to. */
enum ic_mention_origin {
	IC_MENTION_ORIGIN_NONE,  /**< there is no such offset */
	IC_MENTION_ORIGIN_BIAS,  /**< the load bias: the offset is an address in the file */
	IC_MENTION_ORIGIN_START, /**< the page of the lowest loaded segment */
	IC_MENTION_ORIGIN_FILE,  /**< the start of the file */
};

/** A place in code mentioned in a line. The spans are parts of the line. */
struct ic_mention {
	size_t start; /**< where the mention starts, in bytes from the start of the line */
	/** The symbol, as in NAME+0xOFF/0xSIZE. In a Go traceback it is in the previous line, and
	 *  the span belongs to the object. */
	struct ic_span name;
	/** Offset in the symbol, and its size; the size is 0 unless `has_size`. */
	uint64_t off, size;
	bool has_size;
	bool has_addr;         /**< with or without a symbol */
	uint64_t addr;         /**< in memory, or in the file: the text may not say which */
	bool is_plain;         /**< the address is only digits, as registers are printed */
	bool is_doubtful;      /**< marked with "?": found on the stack, not by unwinding */
	struct ic_span module; /**< of a kernel, such as "[xfs]", without brackets */
	/** Such as perf script's "(/usr/lib/libc.so.6)", without parentheses. */
	struct ic_span object;
	struct ic_span build_id; /**< of the module or object, in hexadecimal */
	/** The line is perf script output with a label: `addr` may be a file offset in the
	 *  object. */
	bool is_of_perf;
	enum ic_mention_origin origin; /**< of `object_off` */
	uint64_t object_off;
	/** The mapping that contains `addr`, if the text has it: a kernel prints it when a program
	 *  faults. Otherwise the size is 0. */
	uint64_t map_start, map_size;
	/** What perf script, coredumpctl or a sanitizer calls the place: a function, without offset
	 *  and source position. */
	struct ic_span label;
	/** The source line; 0 if the text has none. With a label, it may be the line of any of the
	 *  frames there. */
	uint32_t line;
	/** A return address: the call before it is meant, so look up the byte before. */
	bool is_return;
	/** The text format only makes `is_return` likely; the code decides: it is not a return
	 *  address if there is no call before it (call_before.h), or if `is_caller` and the
	 *  previous place was the frame of a signal, which returns to where it interrupted the
	 *  program. */
	bool code_decides;
	/** In a stack: where the previously mentioned place returns to. */
	bool is_caller;
};

/**
 * Starts a text.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The mentions, to be freed with ic_mentions_free(); NULL if memory runs out.
 */
IC_API struct ic_mentions *ic_mentions_new(const struct ic_mentions_options *options,
					   struct ic_error *err);

/** Frees mentions; NULL is allowed. */
IC_API void ic_mentions_free(struct ic_mentions *mentions);

/**
 * Starts the next line, and ends the previous one.
 *
 * @param line  Without its newline. It must remain valid until the next line, as the spans point
 *              into it.
 * @param size  In bytes; the line may contain any bytes.
 */
IC_API void ic_mentions_begin(struct ic_mentions *mentions, const char *line, size_t size);

/**
 * Gets the next mention in the line, from left to right. The line's effect on those after it is
 * only known once it has been read completely: call this until it returns false.
 *
 * @return false if there are no more; *mention must not be used then.
 *
 * Time: for all mentions of all lines together, proportional to their text.
 */
IC_API bool ic_mentions_next(struct ic_mentions *mentions, struct ic_mention *mention);

/** What a line of a kernel's log says about the kernel itself. */
enum ic_kernel_fact_kind {
	IC_KERNEL_NONE,
	IC_KERNEL_RELEASE, /**< "CPU: 1 PID: 512 Comm: cat Not tainted 6.1.0-56-amd64 #1" */
	IC_KERNEL_BOOT,    /**< "Linux version 6.1.0-56-amd64 (...": earlier facts no longer hold */
	IC_KERNEL_OFFSET,  /**< "Kernel Offset: 0x1e000000 from 0xffffffff81000000" */
};

struct ic_kernel_fact {
	enum ic_kernel_fact_kind kind;
	struct ic_span release;  /**< for a release or a boot: "6.1.0-56-amd64" */
	struct ic_span build_id; /**< for a release, in hexadecimal, if it is printed */
	uint64_t offset;         /**< relative to the addresses that the kernel was linked for */
};

/**
 * Reads a line for facts about its kernel: its release and build, and its load address.
 *
 * @param line  Without its newline. The spans of the fact point into it.
 * @param fact  [out] Its kind is IC_KERNEL_NONE if the line has none.
 *
 * @return Whether the line has one.
 */
IC_API bool ic_kernel_fact_read(const char *line, size_t size, struct ic_kernel_fact *fact);

#ifdef __cplusplus
}
#endif

#endif
