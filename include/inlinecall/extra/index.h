// More of inlinecall/index.h: counts.
#ifndef INLINECALL_EXTRA_INDEX_H
#define INLINECALL_EXTRA_INDEX_H

#include <inlinecall/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The size of an index, in numbers. */
struct ic_index_counts {
	uint64_t units;     /**< of the source */
	uint64_t functions; /**< per unit: a function in three units counts three times */
	uint64_t inlined;   /**< inlined instances, including those without code left */
	uint64_t hosts;     /**< out-of-line instances */
	uint64_t ranges;    /**< of all instances */
	uint64_t calls;     /**< that were not inlined; 0 if they were not indexed */
	uint64_t problems;  /**< not counting notes */
};

/** Counts what an index holds. */
IC_API struct ic_index_counts ic_index_count(const struct ic_index *index);

#ifdef __cplusplus
}
#endif

#endif
