// Addresses in text form, and what they refer to in a file:
//
// 	a hexadecimal number, with or without 0x (so `add` is 0xadd; the symbol is `add+0x0`),
// 	SECTION+0xOFFSET, SYMBOL+0xOFFSET, SYMBOL+0xOFFSET/0xSIZE, where SIZE is that of the symbol,
// 	SECTION, SYMBOL.
//
// An object is for one thread at a time. Free it before its symbolizer.
#ifndef INLINECALL_EXTRA_ADDRESSES_H
#define INLINECALL_EXTRA_ADDRESSES_H

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/extra/window.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_addresses;

/** The texts and windows that it points to must outlive the addresses. */
struct ic_addresses_options {
	/** Look up the byte before each address. */
	bool are_return_addrs;
	/** The section that numbers are offsets in. NULL: in a relocatable file with only one
	 *  section, that section. */
	const char *section;
	/** Where numbers are in the file, as from ic_placement_windows(); without windows, numbers
	 *  are addresses as the file numbers them. Cannot be combined with `section`. */
	const struct ic_window *windows;
	size_t window_count;
	/** The user's option for `section`, such as "--section"; used in messages as a hint. May be
	 *  NULL. */
	const char *section_option;
	/** Added to messages about a name that is not found: where to list inlined functions, which
	 *  have no symbol. May be NULL. */
	const char *inlined_hint;
};

/** The place in the file that a text refers to. */
struct ic_address {
	uint64_t lookup; /**< what to look up, unless it is outside */
	/** It is outside the section or window it refers to: nothing is known of it. */
	bool is_outside;
	uint64_t shown; /**< what to print: an offset if there is a section */
	/** The section that `shown` is in, or NULL; valid as long as the addresses. */
	const char *section;
};

/**
 * Makes addresses. This collects the sections of a relocatable file.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return The addresses, to be freed with ic_addresses_free(); NULL if no section is named
 *         `section` (IC_ERROR_NOT_FOUND), or several are (IC_ERROR_ARGUMENT), or memory runs out.
 *
 * Time: O(n log n) for the sections of a relocatable file.
 */
IC_API struct ic_addresses *ic_addresses_new(struct ic_symbolizer *symbolizer,
					     const struct ic_addresses_options *options,
					     struct ic_error *err);

/** Frees addresses; NULL is allowed. */
IC_API void ic_addresses_free(struct ic_addresses *addresses);

/**
 * Parses a text as an address. A source name stands for the symbols that
 * ic_symbolizer_symbols_match() finds for it.
 *
 * @param text     Without surrounding blanks. Not kept.
 * @param address  [out]
 * @param err      [out] Set on failure, with a message that continues a sentence about the text;
 *                 may be NULL.
 *
 * @return false if the name is not found (IC_ERROR_NOT_FOUND; the message has the nearest names,
 *         the first few times), if the text is ambiguous or impossible (IC_ERROR_ARGUMENT), or
 *         memory runs out.
 *
 * Time: a search for a symbol by name; for the first few names that are not found, also a search
 *       for the nearest names.
 */
IC_API bool ic_addresses_parse(struct ic_addresses *addresses, const char *text,
			       struct ic_address *address, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
