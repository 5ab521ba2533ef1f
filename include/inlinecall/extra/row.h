// What a row has: the facts of one line of a report.
//
// The fields of a row are called as the keys in docs/formats/json.md, which says what they are and
// when they are not known: strings are then NULL, lines and columns 0, addresses IC_NO_ADDR.
// In a relocatable file addresses are offsets in `section`. New fields come last, so that the order
// is not that of the keys; what is not a key says so.
#ifndef INLINECALL_EXTRA_ROW_H
#define INLINECALL_EXTRA_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlinecall/extra/call_frames.h>
#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/statistics.h>
#include <inlinecall/extra/verdict.h>
#include <inlinecall/range.h>
#include <inlinecall/sites.h>
#include <inlinecall/symbolizer.h>
#include <inlinecall/unwind.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A range of the code that a row is about. */
struct ic_row_range {
	struct ic_range range;
	const char *section; /**< that the range is an offset in, if it is not the row's; NULL */
	const char *symbol;  /**< the function symbol that holds it */
};

/** Where an argument is. */
struct ic_row_location {
	const char *kind;    /**< "constant", "bytes", "register", "memory", "address", "value",
			      *   "pieces", "computed", "entry_value" or "unavailable" */
	const char *text;    /**< as ic_location_text() writes it */
	const char *reason;  /**< of "unavailable": "optimised out", "not here", "unreadable" or
			      *   the like */
	const char *reg;     /**< "register": its name; NULL if that does not say it all */
	int64_t offset;      /**< from there; INT64_MIN if there is no register */
	const char *value;   /**< of "constant" and "address": the number in hexadecimal */
	uint64_t known_from; /**< of "unavailable": where it is; else IC_NO_ADDR */
	const char *known_section; /**< that this is an offset in, if it is not the row's; NULL */
};

/** Where an argument is for a range of addresses. */
struct ic_row_parameter_entry {
	uint64_t start, end; /**< IC_NO_ADDR: everywhere */
	const char *section; /**< that they are offsets in, if it is not the row's; NULL */
	uint64_t start_view, end_view;
	struct ic_row_location location;
	const char *expression;
};

/** A parameter of a site, of an instance in a tree or of a frame. */
struct ic_row_parameter {
	const char *name;
	const char *type;
	uint64_t size;        /**< IC_NO_ADDR if it is not known */
	const char *encoding; /**< "integer", "pointer" and so on; NULL if it is not known */
	bool is_signed, artificial, result; /**< the first is "signed" */
	struct ic_row_location location;    /**< where the copy is entered, or at the address */
	const struct ic_row_parameter_entry *list;
	size_t list_count;
};

/** Where a copy is entered. */
struct ic_row_entry {
	uint64_t address;
	const char *symbol;
	uint64_t offset; /**< in the symbol; IC_NO_ADDR if there is none */
};

/** What is not certain of where a copy is entered: struct ic_entry_doubt. */
struct ic_row_doubt {
	const char *kind; /**< as ic_entry_doubt_name() has it */
	uint64_t address, target;
};

/** Of a site. */
struct ic_site_row {
	const char *type; /**< "site", "copy" or "call" */
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *call_file;
	uint32_t call_line, call_column;
	const struct ic_row_range *ranges;
	size_t range_count;
	const char *section;
	uint64_t entry;
	const char *host, *symbol;
	const struct ic_site_caller *chain; /**< innermost first */
	size_t chain_count;
	const char *unit;
	uint64_t die;
	const char *die_file;
	const char *entry_symbol;
	uint64_t entry_offset; /**< IC_NO_ADDR if not known */
	bool part;             /**< only a part of the function, or a call of one */
	uint64_t return_addr;  /**< "return" in JSON */
	bool tail;
	enum ic_site_kind kind; /**< not a key: `type` says it */
	uint64_t function_off;  /**< not a key; as in struct ic_site: tells functions apart */
	const struct ic_row_parameter *params; /**< NULL if the rows have none */
	size_t param_count;
	bool variadic;       /**< more arguments may follow */
	bool has_lists;      /**< not a key: the parameters have theirs */
	bool has_only_entry; /**< not a key: ranges and chain are not known */
	/** Not a key: the debug information does not describe what `params` would be. */
	bool is_undescribed;
	const struct ic_row_entry *entries; /**< all; NULL if the rows have none */
	size_t entry_count;
	bool counted_elsewhere;            /**< as in struct ic_site_entries */
	const struct ic_row_doubt *doubts; /**< NULL if they are not known */
	size_t doubt_count;
	const char *doubts_why_not; /**< they are not known; NULL if they are */
};

/** Of a function whose sites were counted. */
struct ic_count_row {
	const char *type; /**< "function" */
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	uint64_t inlined, without_code, out_of_line, calls, bytes;
};

/** Of an instance in a tree. */
struct ic_tree_row {
	const char *type; /**< "instance" */
	const char *file;
	uint32_t depth; /**< 0: the root, with which a tree begins */
	const char *function, *linkage_name;
	bool inlined, part;
	const char *decl_file;
	uint32_t decl_line;
	const char *call_file;
	uint32_t call_line, call_column;
	uint64_t bytes, own_bytes;
	const struct ic_row_range *ranges;
	size_t range_count;
	const char *section;
	uint64_t entry;
	const char *host, *symbol;
	const char *unit;
	uint64_t die, parent;
	const char *die_file;
	bool is_last;  /**< of the instances directly inside the same one */
	bool is_clone; /**< the symbol is neither the function's name nor its linkage name */
	const struct ic_row_parameter *params; /**< as in struct ic_site_row */
	size_t param_count;
	bool variadic, has_lists, is_undescribed;
};

/** A frame with its parameters. */
struct ic_row_frame {
	struct ic_frame frame;                 /**< as in ic_stack_row::frames */
	const struct ic_row_parameter *params; /**< NULL if only a symbol or a line table has it */
	size_t param_count;
	bool variadic;       /**< more arguments may follow */
	bool is_undescribed; /**< as in struct ic_site_row */
};

/** Of an address, or of the code of a line. */
struct ic_stack_row {
	const char *type; /**< "stack" or "line" */
	const char *file;
	uint64_t address; /**< of no meaning if `input` is not NULL */
	uint64_t end;     /**< of a line; else IC_NO_ADDR */
	const char *section;
	bool is_stmt;                  /**< of a line */
	const struct ic_frame *frames; /**< innermost first; names and paths as the options say */
	size_t frame_count;
	const char *symbol;
	uint64_t symbol_offset, symbol_size; /**< IC_NO_ADDR if not known */
	const char *input;                   /**< what was asked for, if it is no address */
	bool is_line;
	bool is_renamed; /**< the symbol is neither the last function's name nor its linkage name */
	const struct ic_row_frame *with_params; /**< the frames once more, "frames" in JSON then;
						 *   NULL if the rows have no parameters */
	uint64_t params_address; /**< not a key: where the arguments are looked up; `address`, but
				  *   for a return address one less */
	bool has_lists;          /**< not a key: the parameters have theirs */
};

/** Of statistics: first one of all groups, then one of each. Numbers that mean nothing of such a
 *  group are IC_STATISTIC_NONE. */
struct ic_statistic_row {
	const char *type; /**< "statistic" */
	const char *file;
	const char *by; /**< "function", "caller", "file" or "unit"; "all" of all groups */
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *unit;
	const char *inlined; /**< "never", "partly" or "fully" */
	uint64_t copies, without_code, functions, callers;
	uint64_t self_bytes, bytes;
	uint64_t never, partly, fully;
	uint64_t out_of_line, out_of_line_bytes, code_bytes;
	enum ic_statistics_by group; /**< not a key: `by` says it */
};

/** What rows of arguments are of. */
enum ic_arguments_by { IC_ARGUMENTS_OF_ALL, IC_ARGUMENTS_BY_CATEGORY, IC_ARGUMENTS_BY_SHAPE };

/** Of the arguments of copies: first a row of all, then one for each category of expressions, and
 *  one for each shape. */
struct ic_argument_row {
	const char *type; /**< "arguments" */
	const char *file;
	const char *by;             /**< "all", "category" or "shape" */
	const char *name;           /**< of the category or shape */
	uint64_t functions, copies; /**< IC_STATISTIC_NONE unless the row is of all */
	uint64_t arguments;         /**< that are so */
	uint64_t up_to;             /**< with those of the categories before; of others
				     *   IC_STATISTIC_NONE */
	/** Likewise, of functions with few copies. */
	uint64_t few_functions, few_copies, few_arguments, few_up_to;
	uint64_t whole, few_whole;  /**< not keys: all arguments */
	enum ic_arguments_by group; /**< not a key: `by` says it */
};

/** A place to probe. */
struct ic_row_place {
	const char *kind; /**< "entry", "clone", "part", "choosing", "bypassed" or "copy" */
	uint64_t address;
	const char *section;
	const char *symbol;
	uint64_t offset; /**< in the symbol; IC_NO_ADDR if there is none */
	uint64_t bytes;  /**< IC_NO_ADDR if not known */
	bool ambiguous;  /**< other code has a symbol of that name too */
	bool described;  /**< as code of the function; else only the symbol says so */
	const char *call_file;
	uint32_t call_line, call_column;       /**< of a copy: the call that was inlined */
	const struct ic_row_parameter *params; /**< NULL if they are not known */
	size_t param_count;
	bool variadic;
	bool is_undescribed;              /**< as in struct ic_site_row */
	enum ic_verdict_place_kind place; /**< not a key: `kind` says it */
};

/** Another name of code. */
struct ic_row_name {
	const char *name;
};

/** What became of a function. */
struct ic_verdict_row {
	const char *type; /**< "verdict" */
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *verdict; /**< "partly", "fully", "no_copy_left", "never", "resolver", "alias",
			      *   "symbol_only", "left_out", "declared", "optimised_away" or
			      *   "unused" */
	const char *inlined; /**< as in struct ic_statistic_row */
	bool declared_inline;
	uint64_t copies, without_code, callers, bytes, left_out;
	uint64_t calls; /**< IC_STATISTIC_NONE if not known */
	uint64_t entered;
	const struct ic_row_place *code;
	size_t code_count;
	const struct ic_row_place *entries; /**< of the first copies, of `entered` */
	size_t entry_count;
	const struct ic_row_name *others;
	size_t other_count;
	const char *asked;         /**< not a key: the name that it is an answer to */
	enum ic_verdict_kind kind; /**< not a key: `verdict` says it */
	bool has_params;           /**< not a key: the rows have parameters */
	uint64_t doubtful; /**< copies whose entries are in doubt; IC_STATISTIC_NONE if unknown */
	const char *doubts_why_not; /**< of some copies they are not known; NULL if of none */
};

/** Where an argument is, as .BTF.inline has it. */
struct ic_btf_row_location {
	const char *kind; /**< "constant", "register", "memory", "address", "value", "pieces",
			   *   "computed" or "unavailable" */
	const char *text; /**< as ic_location_text() writes it */
};

/** A parameter of an inlined call there. */
struct ic_btf_row_parameter {
	const char *name;
	const char *type; /**< as C spells it */
	uint64_t size;    /**< IC_NO_ADDR if not known */
	struct ic_btf_row_location location;
};

/** Of an inlined call in a table of .BTF.inline. */
struct ic_btf_site_row {
	const char *type; /**< "site" */
	const char *file;
	const char *function;
	uint32_t function_id; /**< the number of its type */
	const char *host;
	uint32_t host_id; /**< 0 if not known */
	const char *section;
	uint64_t offset; /**< as struct ic_btf_inline_site has it */
	const struct ic_btf_row_parameter *params;
	size_t param_count;
	bool is_address; /**< not a key: the offset is the address */
};

/** Of what was counted in a table of .BTF.inline, or when it was made. The library makes none:
 *  whoever counts hands them to a report. */
struct ic_btf_tally_row {
	const char *type; /**< "tally" */
	const char *file;
	const char *of;   /**< "call", "parameter", "type" or "fault" */
	const char *what; /**< in a few words */
	uint64_t count;
	/** Where the first ones are: offsets of records, or addresses; IC_NO_ADDR if there are
	 *  not so many, or it is not known. */
	uint64_t first, second, third;
};

/** Where the caller's value of a register is, or what the canonical frame address (CFA) is. */
struct ic_row_rule {
	const char *name; /**< "register" in JSON: that is recovered; NULL of the CFA */
	uint32_t number;  /**< DWARF's, of that register; 0 of the CFA */
	const char *kind; /**< "undefined", "same", "memory", "value", "register", "expression",
			   *   "value_expression" or "constant" */
	const char *text; /**< as ic_call_frame_reader_text() writes it */
	const char *from; /**< "register": its name */
	int64_t offset;   /**< "memory" and "value": from the CFA; "register": from it; "constant":
			   *   that. Else INT64_MIN */
};

/** Of a range of addresses: how to find the caller's registers there. */
struct ic_call_frame_rule_row {
	const char *type; /**< "call_frame" */
	const char *file;
	const char *function; /**< the symbol that has the code; NULL if none does */
	uint64_t start, end;
	const char *section;
	struct ic_row_rule cfa;
	const struct ic_row_rule *registers;
	size_t register_count;
	const char *return_register;
	bool is_signal;    /**< "signal" in JSON: as struct ic_call_frame_entry has it */
	const char *table; /**< ".eh_frame" or ".debug_frame" */
	uint64_t fde;      /**< its offset there */
	/** Not a key; "registers" in CSV: "%rbx=[CFA-16] %rip=[CFA-8]"; NULL without any. */
	const char *rules_text;
};

/** An entry of call frame information, or an instruction in it. What its type does not have is no
 *  key. */
struct ic_call_frame_item_row {
	const char *type; /**< "cie", "fde", "terminator" or "instruction" */
	const char *file;
	const char *table;    /**< ".eh_frame" or ".debug_frame" */
	uint64_t offset;      /**< in it */
	uint64_t size;        /**< of an entry */
	const char *function; /**< of an FDE, as in struct ic_call_frame_rule_row */
	uint64_t start, end;  /**< likewise */
	const char *section;
	uint64_t cie;
	const char *lsda; /**< its address; in brackets that of a word that has it */
	uint32_t version; /**< of a CIE */
	const char *augmentation;
	uint64_t code_align;
	int64_t data_align;
	const char *return_register;
	const char *personality; /**< as `lsda` */
	bool is_signal;          /**< "signal" in JSON */
	const char *text;        /**< of an instruction, as in "DW_CFA_def_cfa: %rsp +8" */
	enum ic_call_frame_item_kind kind; /**< not a key: `type` says it */
};

/** An argument of a frame of a thread. */
struct ic_row_argument {
	const char *name, *type;
	const char *value;   /**< NULL if it is not available */
	const char *how;     /**< as in struct ic_backtrace_argument */
	bool is_entry_value; /**< not a key: `how` says it */
};

/** A frame of a thread. */
struct ic_row_thread_frame {
	uint64_t address;
	const char *module; /**< path, or what the kernel calls the mapping */
	const char *function, *linkage_name;
	uint64_t offset; /**< of the address in the symbol; IC_NO_ADDR if there is none */
	const char *file;
	uint32_t line, column;
	bool inlined;
	const char *found;  /**< "given", "call_frames", "frame_pointer", "call" or "tail_call" */
	bool signal;        /**< it returns from a signal */
	const char *callee; /**< as in struct ic_backtrace_frame */
	const struct ic_row_argument *arguments; /**< NULL if they are not known */
	size_t argument_count;
	uint64_t module_addr;   /**< not a key: IC_NO_ADDR if not known */
	uint32_t number;        /**< not a key: of the frame on the stack */
	enum ic_unwind_how how; /**< not a key: `found` says it */
};

/** A thread that has the same stack as another. */
struct ic_row_other_thread {
	const char *core; /**< as in struct ic_thread_row */
	uint64_t tid;
};

/** Of a thread, or of threads with the same stack. */
struct ic_thread_row {
	const char *type; /**< "thread" */
	const char *core; /**< path of the core that has it; NULL of a process */
	uint64_t pid, tid;
	const char *name;
	uint64_t signal; /**< IC_NO_ADDR if none */
	const struct ic_row_thread_frame *frames;
	size_t frame_count;
	const char *end;                          /**< why there are no more frames */
	const struct ic_row_other_thread *others; /**< with this stack */
	size_t other_count;
	enum ic_unwind_end end_kind;   /**< not a key: `end` says it */
	bool has_arguments, has_cores; /**< not keys: asked for; the rows are of several cores */
	bool is_processor;             /**< not a key: of a kernel's dump; `tid` is its number */
};

/** Of DIEs that break a rule: how many, or one of them. */
struct ic_lint_row {
	const char *type; /**< "count", or "finding" below it */
	const char *file;
	const char *rule;
	const char *severity;  /**< "error", "warning" or "note" */
	const char *paragraph; /**< of the standard */
	const char *producer;
	uint64_t count; /**< of a finding UINT64_MAX */
	/** Of a finding, as in struct ic_lint_finding. */
	const char *section;
	uint64_t die; /**< IC_NO_ADDR of a count */
	const char *die_file, *unit, *function, *source;
	uint32_t line;
	const char *text;
	const char *summary; /**< not a key: of the rule */
};

/** Of a probe. */
struct ic_probe_row {
	const char *type; /**< "probe" */
	const char *file;
	const char *tracer; /**< as ic_tracer_name() has it */
	const char *group, *event;
	const char *definition, *why_not, *left_out; /**< as in struct ic_probe */
	/** "entry", "line", "returned" for IC_PROBE_RETURN, or of an exit as ic_exit_kind_name()
	 * has it, "exit" if it is not known. */
	const char *at;
	const char *doubt; /**< as in struct ic_probe */
	const char *function, *linkage_name;
	bool inlined;
	const char *call_file;
	uint32_t call_line, call_column;
	const char *host;
	const char *section;
	uint64_t address;
	uint64_t file_offset; /**< IC_NO_ADDR if not known */
	const char *symbol;
	uint64_t offset; /**< in the symbol; IC_NO_ADDR if there is none */
	bool ambiguous;  /**< other code has a symbol of that name too */
	uint64_t die;
	const char *die_file;
	const struct ic_row_parameter *params; /**< NULL if they are not known */
	size_t param_count;
	bool variadic;
	const struct ic_site_caller *chain; /**< as in struct ic_site_row; NULL if not known */
	size_t chain_count;
	const char *source; /**< of a line: its place, and the functions there, innermost first */
	uint32_t line, column;
	const struct ic_frame *frames; /**< NULL if it is not of a line */
	size_t frame_count;
	enum ic_tracer for_tracer; /**< not a key: `tracer` says it */
};

struct ic_hit_row; // <inlinecall/extra/traced_row.h>, as are these
struct ic_hit_count_row;
struct ic_latency_row;
struct ic_histogram_row;
struct ic_profile_row; // <inlinecall/extra/profile_row.h>
struct ic_size_row;    // <inlinecall/extra/size_row.h>

/** A row: the field of its kind, the others are NULL. They are in the order of enum ic_rows_kind.
 */
struct ic_row {
	const struct ic_site_row *site;
	const struct ic_count_row *count;
	const struct ic_stack_row *stack;
	const struct ic_tree_row *tree;
	const struct ic_statistic_row *statistic;
	const struct ic_argument_row *argument;
	const struct ic_verdict_row *verdict;
	const struct ic_btf_site_row *btf_site;
	const struct ic_btf_tally_row *btf_tally;
	const struct ic_call_frame_rule_row *call_frame;
	const struct ic_call_frame_item_row *call_frame_item;
	const struct ic_thread_row *thread;
	const struct ic_lint_row *lint;
	const struct ic_probe_row *probe;
	const struct ic_hit_row *hit;
	const struct ic_hit_count_row *hit_count;
	const struct ic_latency_row *latency;
	const struct ic_histogram_row *histogram;
	const struct ic_profile_row *profile;
	const struct ic_size_row *size;
};

#ifdef __cplusplus
}
#endif

#endif
