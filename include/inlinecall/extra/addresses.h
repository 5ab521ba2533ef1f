// Addresses as people write them, and what they are in a file:
//
//	a hexadecimal number, with or without 0x (so `add` is 0xadd; the symbol is `add+0x0`),
//	SECTION+0xOFFSET, SYMBOL+0xOFFSET, SYMBOL+0xOFFSET/0xSIZE, where SIZE is that of the symbol,
//	SECTION, SYMBOL.
//
// One thread at a time may use an object; free it before its symbolizer.
#ifndef INLINECALL_EXTRA_ADDRESSES_H
#define INLINECALL_EXTRA_ADDRESSES_H

#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/extra/window.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_addresses;

/** What texts and windows it points to must live as long as the addresses. */
struct ic_addresses_options {
	/** The byte before each address is looked up. */
	bool are_return_addrs;
	/** The section that numbers are offsets in; NULL for the only one of a relocatable file,
	 *  if there is but one. */
	const char *section;
	/** Where numbers are in the file, as ic_placement_windows() has it; without any, they are
	 *  addresses as the file numbers them. Not with `section`. */
	const struct ic_window *windows;
	size_t window_count;
	/** What a user gives `section` by, as in "--section"; messages hint at it. May be NULL. */
	const char *section_option;
	/** What messages say besides of a name that nothing has: where inlined functions are
	 *  listed, as they have no symbol. May be NULL. */
	const char *inlined_hint;
};

/** What a text is in the file. */
struct ic_address {
	uint64_t lookup;     /**< what to look up, unless it is outside */
	bool is_outside;     /**< of whatever it was said to be in: nothing is known of it */
	uint64_t shown;      /**< what to print: an offset if there is a section */
	const char *section; /**< that `shown` is in, or NULL; as long-lived as the addresses */
};

/**
 * Learns which sections there are.
 *
 * @param options  NULL for the defaults.
 * @param err      [out] Set on failure; may be NULL.
 *
 * @return To be freed with ic_addresses_free(); NULL if `section` is the name of none
 *         (IC_ERROR_NOT_FOUND) or of several (IC_ERROR_ARGUMENT), or memory runs out.
 *
 * Time: O(n log n) for the sections of a relocatable file.
 */
IC_API struct ic_addresses *ic_addresses_new(struct ic_symbolizer *symbolizer,
					     const struct ic_addresses_options *options,
					     struct ic_error *err);

/** Frees addresses; NULL is allowed. */
IC_API void ic_addresses_free(struct ic_addresses *addresses);

/**
 * Reads a text as an address. A name of the source means the symbols that
 * ic_symbolizer_symbols_match() has for it.
 *
 * @param text     Without blanks around it. Not kept.
 * @param address  [out]
 * @param err      [out] Why not, as half a sentence about the text; may be NULL.
 *
 * @return false if nothing has the name (IC_ERROR_NOT_FOUND; the nearest names are in the message,
 *         the first few times), if it could be several places, or none that there can be
 *         (IC_ERROR_ARGUMENT), or memory runs out.
 *
 * Time: that of looking for a symbol by its name; of the first few that are not found, for the
 *       nearest names.
 */
IC_API bool ic_addresses_parse(struct ic_addresses *addresses, const char *text,
			       struct ic_address *address, struct ic_error *err);

#ifdef __cplusplus
}
#endif

#endif
