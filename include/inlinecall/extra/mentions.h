// What text says of places in code: the logs of kernels, stack traces, what perf script prints. The
// forms that are known are listed in inlinecall-addr(1), under --filter.
//
// Text is read line by line, since lines say something of those after them: under "Call Trace:"
// there are return addresses. A line may mention several places. Whoever has the files asks their
// symbolizers for what was mentioned; here no file is opened.
//
// One thread at a time may use an object; there may be any number of them.
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
	/** Addresses are return addresses if the text does not say what they are. */
	bool return_addresses;
};

/** What an offset in an object counts from. */
enum ic_mention_origin {
	IC_MENTION_ORIGIN_NONE,  /**< there is no such offset */
	IC_MENTION_ORIGIN_BIAS,  /**< the load bias: the offset is an address of the file */
	IC_MENTION_ORIGIN_START, /**< the page of the lowest loaded segment */
	IC_MENTION_ORIGIN_FILE,  /**< the beginning of the file */
};

/** A place in code that a line mentions. The spans are parts of the line. */
struct ic_mention {
	size_t start;        /**< where it begins, in bytes from the beginning of the line */
	struct ic_span name; /**< of the symbol, as in NAME+0xOFF/0xSIZE; in a traceback of Go it
			      * is in the line before, and the span is the object's */
	uint64_t off, size;  /**< in the symbol, and of it; the size is 0 unless `has_size` */
	bool has_size;
	bool has_addr;           /**< with the symbol or without */
	uint64_t addr;           /**< in memory, or of the file: the text may not say which */
	bool is_plain;           /**< the address is only digits, as registers are printed */
	bool is_doubtful;        /**< marked with "?": found on the stack, not by unwinding */
	struct ic_span module;   /**< of a kernel, as in "[xfs]", without brackets */
	struct ic_span object;   /**< as in perf script's "(/usr/lib/libc.so.6)", without them */
	struct ic_span build_id; /**< of the module or the object, in hexadecimal */
	/** A line of perf script's with a label: `addr` may be an offset in the object's file. */
	bool is_of_perf;
	enum ic_mention_origin origin; /**< of `object_off` */
	uint64_t object_off;
	/** The mapping that `addr` is in, as far as the text says: a kernel does when a program
	 *  faults. The size is 0 if it does not. */
	uint64_t map_start, map_size;
	/** What perf script, coredumpctl or a sanitizer call the place: a function, without an
	 * offset and without its source. */
	struct ic_span label;
	/** The line of its source file; 0 if the text has none. With a label it is that of any of
	 *  the frames there. */
	uint32_t line;
	/** A return address: what is meant is the call before it, so look for the byte before. */
	bool is_return;
	/** That is what the form of the text makes likely, but the code knows better: it is none if
	 *  no call is before it (call_before.h), or if `is_caller` and the place before was the
	 *  frame of a signal, which returns to where it interrupted the program. */
	bool code_decides;
	/** In a stack, what the place that was mentioned before it returns to. */
	bool is_caller;
};

/**
 * Begins a text.
 *
 * @param options  NULL for the defaults. Not kept.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_mentions_free(); NULL if memory runs out.
 */
IC_API struct ic_mentions *ic_mentions_new(const struct ic_mentions_options *options,
					   struct ic_error *err);

/** Frees what was begun; NULL is allowed. */
IC_API void ic_mentions_free(struct ic_mentions *mentions);

/**
 * Begins the next line; the one before is done with.
 *
 * @param line  Without its newline. Kept until the next line, with the mentions' spans in it.
 * @param size  In bytes; there may be any in it.
 */
IC_API void ic_mentions_begin(struct ic_mentions *mentions, const char *line, size_t size);

/**
 * The next mention in the line, from left to right. What the line says of those after it is known
 * once all of it has been read: ask until there is none left.
 *
 * @return false if there is none left; then *mention is not to be used.
 *
 * Time: all mentions of all lines together in proportion to their text.
 */
IC_API bool ic_mentions_next(struct ic_mentions *mentions, struct ic_mention *mention);

/** What a line of a kernel's log says of the kernel itself. */
enum ic_kernel_fact_kind {
	IC_KERNEL_NONE,
	IC_KERNEL_RELEASE, /**< "CPU: 1 PID: 512 Comm: cat Not tainted 6.1.0-56-amd64 #1" */
	IC_KERNEL_BOOT,    /**< "Linux version 6.1.0-56-amd64 (...": what was known is over */
	IC_KERNEL_OFFSET,  /**< "Kernel Offset: 0x1e000000 from 0xffffffff81000000" */
};

struct ic_kernel_fact {
	enum ic_kernel_fact_kind kind;
	struct ic_span release;  /**< of a release or a boot: "6.1.0-56-amd64" */
	struct ic_span build_id; /**< of a release, in hexadecimal, if it is printed */
	uint64_t offset;         /**< to the addresses that the kernel was linked for */
};

/**
 * Reads what a line says of its kernel: which release and build it is, and where it runs.
 *
 * @param line  Without its newline. The spans of the fact are parts of it.
 * @param fact  [out] Its kind is IC_KERNEL_NONE if the line says nothing.
 *
 * @return Whether it says anything.
 */
IC_API bool ic_kernel_fact_read(const char *line, size_t size, struct ic_kernel_fact *fact);

#ifdef __cplusplus
}
#endif

#endif
