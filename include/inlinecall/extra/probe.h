// Probes: where tracers are to stop to see every call of a function, the inlined ones too, in the
// spelling of each tracer.
//
// Probes borrow from the index that their sites are of, and are read only once they are made: any
// number of threads may share them.
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

/** A tracer, or a form of its probes. */
enum ic_tracer {
	IC_TRACER_TRACEFS,   // lines for uprobe_events, kprobe_events and dynamic_events of Linux
	IC_TRACER_PERF,      // commands of a shell, perf-probe(1)
	IC_TRACER_BPFTRACE,  // a program for bpftrace(8)
	IC_TRACER_SYSTEMTAP, // a script for stap(1)
	IC_TRACER_KINST,     // a program for dtrace(1) of FreeBSD, with dtrace_kinst(4)
	IC_TRACER_GDB,       // commands of GDB
	IC_TRACER_LIBBPF     // initialisers of an array in C
};

/**
 * Finds a tracer by its name: "tracefs", "perf" and so on.
 *
 * @return false if there is none of that name.
 */
IC_API bool ic_tracer_find(const char *name, enum ic_tracer *tracer);

/** Its name. Static; NULL for a number that is no tracer. */
IC_API const char *ic_tracer_name(enum ic_tracer tracer);

/** How probes are made. Zero-initialised: for tracefs. */
struct ic_probe_options {
	enum ic_tracer tracer;
	/** The file that the tracer opens; NULL for the path that the image was opened by. Tracers
	 *  need an absolute path. Not used for kernels and their modules. */
	const char *path;
	/** The group of the events; NULL for "inlinecall_" and the name of the file. What is no
	 *  letter, digit or underscore becomes one. */
	const char *group;
	uint64_t first; /**< the number of the first event, less 1: they are numbered on from it */
	/** Makes probes where control leaves the copies too; NULL for none. Used only here. */
	struct ic_exits *exits;
	/** Where the copies are entered: a probe for each place, and none for the continuation of
	 *  another copy. Of the sites; used only here. NULL for one probe of each copy, at
	 *  ic_site::entry. */
	const struct ic_entries *entries;
};

/** What reaching a probe means. */
enum ic_probe_kind {
	IC_PROBE_ENTRY, // a copy is entered
	IC_PROBE_EXIT,  // control leaves it: see ic_exits_find()
	/** A function returns to its caller: the tracer has changed the return address. What it
	 * calls in its place at its end (tail calls) has returned too then. */
	IC_PROBE_RETURN,
	IC_PROBE_LINE, // code of a line begins
	/** Nothing, so that there is no definition: the calls of the copy are those of another one
	 * (struct ic_site_entries). */
	IC_PROBE_ELSEWHERE
};

/** A probe. Strings that are not known are NULL, numbers IC_NO_ADDR. */
struct ic_probe {
	size_t site;        /**< its number in the sites, or the place's in the lines */
	uint64_t addr;      /**< where the copy is entered, as the index has it */
	uint64_t file_off;  /**< of that in the file */
	const char *symbol; /**< that holds it */
	uint64_t symbol_off;
	bool is_ambiguous; /**< other code has a symbol of that name too */
	const char *group, *event;
	/** What the tracer takes, without the end of the line; NULL if this copy cannot be probed,
	 * for the reason `why_not`. */
	const char *definition, *why_not;
	/** Arguments that are not in the definition, with the reasons: "n: not here; p: in pieces".
	 *  NULL if all are. */
	const char *left_out;
	enum ic_probe_kind kind;
	enum ic_exit_kind exit_kind; /**< of an exit that has a definition */
	/** What is not certain: of an exit as ic_exits_doubt() has it; of the first entry of a copy
	 *  what is in doubt of its entries. NULL if nothing is. */
	const char *doubt;
	/** Of a line: the functions there, the innermost first, as ic_lines_get() has them. */
	const struct ic_frame *frames;
	size_t frame_count;
	/** Of a line: the number of the first of them among the frames at the address;
	 * IC_NO_ADDR if it is not one of these. */
	uint64_t frame;
};

struct ic_probes;

/**
 * Makes a probe for each entry of each site that has code, but for calls.
 *
 * @param image       Of the index that the sites are of.
 * @param sites       Must live as long as the probes.
 * @param parameters  Reads the arguments; NULL for probes without arguments. Used only here.
 * @param options     NULL for the defaults. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The probes, in the order of the sites, to be freed with ic_probes_free(); copies that are
 *         entered at one address each have theirs. If exits are wanted, those of a copy follow it:
 * a return of a copy out of line, if the tracer has such probes, else each exit. If exits are not
 * known, there is one without a definition, and without an address. NULL if memory runs out, or the
 * tracer is none (IC_ERROR_ARGUMENT).
 *
 * Time: that of finding the parameters, and of one search for the name of each symbol.
 */
IC_API struct ic_probes *ic_probes_find(struct ic_image *image, const struct ic_sites *sites,
					struct ic_parameters *parameters,
					const struct ic_probe_options *options,
					struct ic_error *err);

/** The lines that probes are made for. */
struct ic_probe_lines {
	const struct ic_index *index; /**< for the symbols and sections; may be of no functions */
	struct ic_symbolizer *symbolizer; /**< that found the lines */
	const struct ic_lines *lines;
};

/**
 * Makes a probe for each place of a line that is a good one for a breakpoint
 * (ic_line_place::is_stmt), one at each address: in all copies of its function, inlined or not.
 *
 * @param image       Of the index and the symbolizer.
 * @param lines       Not kept, but what it has must live as long as the probes.
 * @param parameters  Of ic_parameters_open_frames(): reads the arguments of the function that has
 * the line, at the place; NULL for probes without. Used only here.
 * @param options     NULL for the defaults; `exits` are not used. Not kept.
 * @param err         [out] Set on failure; may be NULL.
 *
 * @return The probes, sorted by address, to be freed with ic_probes_free(); NULL as from
 *         ic_probes_find().
 */
IC_API struct ic_probes *ic_probes_find_lines(struct ic_image *image,
					      const struct ic_probe_lines *lines,
					      struct ic_parameters *parameters,
					      const struct ic_probe_options *options,
					      struct ic_error *err);

/** Frees probes; NULL is allowed. */
IC_API void ic_probes_free(struct ic_probes *probes);

/** How many there are. */
IC_API size_t ic_probes_count(const struct ic_probes *probes);

/** Probe number `number`, from 0; false if there are not so many. */
IC_API bool ic_probes_get(const struct ic_probes *probes, size_t number, struct ic_probe *probe);

/** What they are for. */
IC_API enum ic_tracer ic_probes_tracer(const struct ic_probes *probes);

/** The sites that they are of; NULL if they are of lines. */
IC_API const struct ic_sites *ic_probes_sites(const struct ic_probes *probes);

#ifdef __cplusplus
}
#endif

#endif
