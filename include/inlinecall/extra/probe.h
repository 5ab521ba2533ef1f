// Probes: where tracers must stop to see every call of a function, including inlined ones, in the
// syntax of each tracer.
//
// Probes borrow from the index of their sites. They never change once made: any number of threads
// may share them.
#ifndef INLINECALL_EXTRA_PROBE_H
#define INLINECALL_EXTRA_PROBE_H

#include <inlinecall/extra/entries.h>
#include <inlinecall/extra/exits.h>
#include <inlinecall/extra/lines.h>
#include <inlinecall/image.h>
#include <inlinecall/parameters.h>
#include <inlinecall/sites.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tracer, or a format of its probes. */
enum ic_tracer {
	IC_TRACER_TRACEFS,   // lines for uprobe_events, kprobe_events and dynamic_events of Linux
	IC_TRACER_PERF,      // shell commands, perf-probe(1)
	IC_TRACER_BPFTRACE,  // a program for bpftrace(8)
	IC_TRACER_SYSTEMTAP, // a script for stap(1)
	IC_TRACER_KINST,     // a program for FreeBSD's dtrace(1), with dtrace_kinst(4)
	IC_TRACER_GDB,       // GDB commands
	IC_TRACER_LIBBPF     // initialisers of a C array
};

/**
 * Finds a tracer by its name: "tracefs", "perf" and so on.
 *
 * @return false if there is no tracer of that name.
 */
IC_API bool ic_tracer_find(const char *name, enum ic_tracer *tracer);

/** The name of a tracer. Static; NULL for other numbers. */
IC_API const char *ic_tracer_name(enum ic_tracer tracer);

/** How to make probes. Zero-initialised: for tracefs. */
struct ic_probe_options {
	enum ic_tracer tracer;
	/** The file that the tracer opens; NULL for the path that the image was opened by. Tracers
	 *  need an absolute path. Not used for kernels and kernel modules. */
	const char *path;
	/** The group of the events; NULL for "inlinecall_" plus the name of the file. Characters
	 *  other than letters, digits and underscores are replaced by underscores. */
	const char *group;
	uint64_t first; /**< number of the first event, less 1; events are numbered consecutively */
	/** Also make probes where control leaves the copies; NULL for none. Not kept. */
	struct ic_exits *exits;
	/** Where the copies are entered: makes one probe for each place, and none for the
	 *  continuation of another copy. Must be of the same sites. Not kept. NULL for one probe
	 *  per copy, at ic_site::entry. */
	const struct ic_entries *entries;
};

/** The meaning of reaching a probe. */
enum ic_probe_kind {
	IC_PROBE_ENTRY, // a copy is entered
	IC_PROBE_EXIT,  // control leaves a copy: see ic_exits_find()
	/** A function returns to its caller: the tracer has replaced the return address. Functions
	 *  that it called by tail calls have then returned too. */
	IC_PROBE_RETURN,
	IC_PROBE_LINE, // code of a line starts
	/** None, so there is no definition: the calls of the copy are those of another one (struct
	 *  ic_site_entries). */
	IC_PROBE_ELSEWHERE
};

/** A probe. Unknown strings are NULL, unknown numbers IC_NO_ADDR. */
struct ic_probe {
	size_t site;        /**< its index in the sites, or for lines that of the place */
	uint64_t addr;      /**< where the copy is entered, according to the index */
	uint64_t file_off;  /**< the file offset of `addr` */
	const char *symbol; /**< the symbol that contains `addr` */
	uint64_t symbol_off;
	bool is_ambiguous; /**< other code has a symbol with the same name */
	const char *group, *event;
	/** The tracer's syntax, without a newline; NULL if this copy cannot be probed, for the
	 *  reason `why_not`. */
	const char *definition, *why_not;
	/** Arguments missing from the definition, with the reasons: "n: not here; p: in pieces".
	 *  NULL if none are missing. */
	const char *left_out;
	enum ic_probe_kind kind;
	enum ic_exit_kind exit_kind; /**< of an exit that has a definition */
	/** What is uncertain: for an exit see ic_exits_doubt(); for the first entry of a copy, the
	 *  doubts about its entries. NULL if nothing is. */
	const char *doubt;
	/** For a line: the functions there, innermost first, as from ic_lines_get(). */
	const struct ic_frame *frames;
	size_t frame_count;
	/** For a line: the index of the first of them among the frames at the address; IC_NO_ADDR
	 *  if it is not one of those. */
	uint64_t frame;
};

struct ic_probes;

/**
 * Makes a probe for each entry of each site that has code, except calls.
 *
 * @param image       The one that the index of the sites was built from.
 * @param sites       Must outlive the probes.
 * @param parameters  Reads the arguments; NULL for probes without arguments. Not kept.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The probes, in site order, to be freed with ic_probes_free(). Copies with the same entry
 *         address each have their own. If exits are requested, those of a copy follow it: for an
 *         out-of-line copy a return probe if the tracer supports them, otherwise each exit. If the
 *         exits are unknown, there is one without a definition and without an address. NULL if
 *         memory runs out, or the tracer is invalid (IC_ERROR_ARGUMENT).
 *
 * Time: finding the parameters, and one search for each symbol name.
 */
IC_API struct ic_probes *ic_probes_find(struct ic_image *image, const struct ic_sites *sites,
					struct ic_parameters *parameters,
					const struct ic_probe_options *options,
					struct ic_error *err);

/** The lines to make probes for. */
struct ic_probe_lines {
	const struct ic_index *index;     /**< for symbols and sections; may have no functions */
	struct ic_symbolizer *symbolizer; /**< the one that found the lines */
	const struct ic_lines *lines;
};

/**
 * Makes a probe for each place of a line that is recommended for a breakpoint and does not continue
 * another (ic_line_place::is_stmt, continues), one per address: in all copies of its function,
 * inlined or not.
 *
 * @param image       The one of the index and the symbolizer.
 * @param lines       Not kept, but its members must outlive the probes.
 * @param parameters  From ic_parameters_open_frames(): reads the arguments of the function that
 *                    contains the line, at that place; NULL for probes without arguments. Not kept.
 * @param options     NULL for the defaults; `exits` is ignored. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The probes, sorted by address, to be freed with ic_probes_free(); NULL as for
 *         ic_probes_find().
 */
IC_API struct ic_probes *ic_probes_find_lines(struct ic_image *image,
					      const struct ic_probe_lines *lines,
					      struct ic_parameters *parameters,
					      const struct ic_probe_options *options,
					      struct ic_error *err);

/** Frees probes; NULL is allowed. */
IC_API void ic_probes_free(struct ic_probes *probes);

/** The number of probes. */
IC_API size_t ic_probes_count(const struct ic_probes *probes);

/** Gets probe number `number`, from 0; false if there are fewer. */
IC_API bool ic_probes_get(const struct ic_probes *probes, size_t number, struct ic_probe *probe);

/** The tracer that the probes are for. */
IC_API enum ic_tracer ic_probes_tracer(const struct ic_probes *probes);

/** The sites of the probes; NULL for lines. */
IC_API const struct ic_sites *ic_probes_sites(const struct ic_probes *probes);

#ifdef __cplusplus
}
#endif

#endif
