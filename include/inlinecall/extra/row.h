// Row structs: the data of one line of a report.
//
// Fields are named like the keys in docs/formats/json.md, which defines them and when they are
// unknown: strings are then NULL, lines and columns 0, addresses IC_NO_ADDR. In a relocatable file
// addresses are offsets in `section`. New fields are added at the end, so their order is not that
// of the keys; fields that are not keys are marked.
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

/** A range of a row's code. */
struct ic_row_range {
	struct ic_range range;
	/** The section that the range is an offset in, if it is not the row's; otherwise NULL. */
	const char *section;
	const char *symbol; /**< the function symbol that contains it */
};

/** Where an argument is. */
struct ic_row_location {
	/** "constant", "bytes", "register", "memory", "address", "value", "pieces", "computed",
	 *  "entry_value" or "unavailable" */
	const char *kind;
	const char *text; /**< as written by ic_location_text() */
	/** For "unavailable": "optimised out", "not here", "unreadable" or the like. */
	const char *reason;
	const char *reg; /**< "register": its name; NULL if a register is not the whole location */
	int64_t offset;  /**< from the register; INT64_MIN without one */
	const char *value;   /**< for "constant" and "address": the number in hexadecimal */
	uint64_t known_from; /**< for "unavailable": where it is available; otherwise IC_NO_ADDR */
	/** The section that this is an offset in, if it is not the row's; otherwise NULL. */
	const char *known_section;
};

/** Where an argument is in a range of addresses. */
struct ic_row_parameter_entry {
	uint64_t start, end; /**< IC_NO_ADDR: everywhere */
	/** The section that they are offsets in, if it is not the row's; otherwise NULL. */
	const char *section;
	uint64_t start_view, end_view;
	struct ic_row_location location;
	const char *expression;
};

/** A parameter of a site, of an instance in a tree, or of a frame. */
struct ic_row_parameter {
	const char *name;
	const char *type;
	uint64_t size;                      /**< IC_NO_ADDR if unknown */
	const char *encoding;               /**< "integer", "pointer" and so on; NULL if unknown */
	bool is_signed, artificial, result; /**< the key of the first is "signed" */
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

/** An uncertainty about where a copy is entered: see struct ic_entry_doubt. */
struct ic_row_doubt {
	const char *kind; /**< as from ic_entry_doubt_name() */
	uint64_t address, target;
};

/** A site. */
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
	uint64_t entry_offset; /**< IC_NO_ADDR if unknown */
	bool part;             /**< only a part of the function, or a call of such a part */
	uint64_t return_addr;  /**< "return" in JSON */
	bool tail;
	enum ic_site_kind kind; /**< not a key: same as `type` */
	uint64_t function_off;  /**< not a key; as in struct ic_site: identifies the function */
	const struct ic_row_parameter *params; /**< NULL if the rows have none */
	size_t param_count;
	bool variadic;       /**< takes further arguments */
	bool has_lists;      /**< not a key: the parameters have lists */
	bool has_only_entry; /**< not a key: ranges and chain are unknown */
	/** Not a key: the debug information does not describe the parameters. */
	bool is_undescribed;
	const struct ic_row_entry *entries; /**< all entries; NULL if the rows have none */
	size_t entry_count;
	bool counted_elsewhere;            /**< see struct ic_site_entries */
	const struct ic_row_doubt *doubts; /**< NULL if unknown */
	size_t doubt_count;
	/** Why doubts are unknown; NULL if they are known. */
	const char *doubts_why_not;
};

/** A function whose sites were counted. */
struct ic_count_row {
	const char *type; /**< "function" */
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	uint64_t inlined, without_code, out_of_line, calls, bytes;
};

/** An instance in a tree. */
struct ic_tree_row {
	const char *type; /**< "instance" */
	const char *file;
	uint32_t depth; /**< 0: the root, which starts a tree */
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
	bool is_last;  /**< the last of the instances directly inside the same one */
	bool is_clone; /**< the symbol is neither the function's name nor its linkage name */
	const struct ic_row_parameter *params; /**< see struct ic_site_row */
	size_t param_count;
	bool variadic, has_lists, is_undescribed;
};

/** A frame with its parameters. */
struct ic_row_frame {
	struct ic_frame frame;                 /**< see ic_stack_row::frames */
	const struct ic_row_parameter *params; /**< NULL if it has only a symbol or a line table */
	size_t param_count;
	bool variadic;       /**< takes further arguments */
	bool is_undescribed; /**< see struct ic_site_row */
};

/** An address, or the code of a line. */
struct ic_stack_row {
	const char *type; /**< "stack" or "line" */
	const char *file;
	uint64_t address; /**< meaningless if `input` is not NULL */
	uint64_t end;     /**< for a line; otherwise IC_NO_ADDR */
	const char *section;
	bool is_stmt; /**< for a line */
	/** Innermost first; names and paths according to the options. */
	const struct ic_frame *frames;
	size_t frame_count;
	const char *symbol;
	uint64_t symbol_offset, symbol_size; /**< IC_NO_ADDR if unknown */
	const char *input;                   /**< the query, if it is not an address */
	bool is_line;
	bool is_renamed; /**< the symbol is neither the last function's name nor its linkage name */
	/** The same frames with parameters; "frames" in JSON has these if present. NULL if the rows
	 *  have no parameters. */
	const struct ic_row_frame *with_params;
	/** Not a key: where the arguments are looked up: `address`, or one less for a return
	 *  address. */
	uint64_t params_address;
	bool has_lists; /**< not a key: the parameters have lists */
};

/**
 * A row of statistics: first one for all groups, then one for each. Numbers that do not apply to a
 * group are IC_STATISTIC_NONE.
 */
struct ic_statistic_row {
	const char *type; /**< "statistic" */
	const char *file;
	const char *by; /**< "function", "caller", "file" or "unit"; "all" for all groups */
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	const char *unit;
	const char *inlined; /**< "never", "partly" or "fully" */
	uint64_t copies, without_code, functions, callers;
	uint64_t self_bytes, bytes;
	uint64_t never, partly, fully;
	uint64_t out_of_line, out_of_line_bytes, code_bytes;
	enum ic_statistics_by group; /**< not a key: same as `by` */
};

/** What rows of arguments are grouped by. */
enum ic_arguments_by { IC_ARGUMENTS_OF_ALL, IC_ARGUMENTS_BY_CATEGORY, IC_ARGUMENTS_BY_SHAPE };

/**
 * Arguments of copies: first a row for all, then one for each category of expressions, and one for
 * each shape.
 */
struct ic_argument_row {
	const char *type; /**< "arguments" */
	const char *file;
	const char *by;             /**< "all", "category" or "shape" */
	const char *name;           /**< of the category or shape */
	uint64_t functions, copies; /**< IC_STATISTIC_NONE except in the row for all */
	uint64_t arguments;         /**< number of arguments in the group */
	/** The same including all preceding categories; otherwise IC_STATISTIC_NONE. */
	uint64_t up_to;
	/** The same for functions with few copies. */
	uint64_t few_functions, few_copies, few_arguments, few_up_to;
	uint64_t whole, few_whole;  /**< not keys: number of all arguments */
	enum ic_arguments_by group; /**< not a key: same as `by` */
};

/** A place to probe. */
struct ic_row_place {
	const char *kind; /**< "entry", "clone", "part", "choosing", "bypassed" or "copy" */
	uint64_t address;
	const char *section;
	const char *symbol;
	uint64_t offset; /**< in the symbol; IC_NO_ADDR if there is none */
	uint64_t bytes;  /**< IC_NO_ADDR if unknown */
	bool ambiguous;  /**< other code has a symbol with the same name */
	bool described;  /**< as code of the function; otherwise only the symbol identifies it */
	const char *call_file;
	uint32_t call_line, call_column;       /**< for a copy: the call that was inlined */
	const struct ic_row_parameter *params; /**< NULL if unknown */
	size_t param_count;
	bool variadic;
	bool is_undescribed;              /**< see struct ic_site_row */
	enum ic_verdict_place_kind place; /**< not a key: same as `kind` */
};

/** Another name of the same code. */
struct ic_row_name {
	const char *name;
};

/** What happened to a function. */
struct ic_verdict_row {
	const char *type; /**< "verdict" */
	const char *file;
	const char *function, *linkage_name;
	const char *decl_file;
	uint32_t decl_line;
	/** "partly", "fully", "no_copy_left", "never", "resolver", "alias", "symbol_only",
	 *  "left_out", "declared", "optimised_away" or "unused" */
	const char *verdict;
	const char *inlined; /**< see struct ic_statistic_row */
	bool declared_inline;
	uint64_t copies, without_code, callers, bytes, left_out;
	uint64_t calls; /**< IC_STATISTIC_NONE if unknown */
	uint64_t entered;
	const struct ic_row_place *code;
	size_t code_count;
	/** The first of the copies' entries, of `entered` in total. */
	const struct ic_row_place *entries;
	size_t entry_count;
	const struct ic_row_name *others;
	size_t other_count;
	const char *asked;         /**< not a key: the name that was asked for */
	enum ic_verdict_kind kind; /**< not a key: same as `verdict` */
	bool has_params;           /**< not a key: the rows have parameters */
	uint64_t doubtful; /**< copies with uncertain entries; IC_STATISTIC_NONE if unknown */
	/** Why some copies' doubts are unknown; NULL if all are known. */
	const char *doubts_why_not;
};

/** Where an argument is, according to .BTF.inline. */
struct ic_btf_row_location {
	/** "constant", "register", "memory", "address", "value", "pieces", "computed" or
	 *  "unavailable" */
	const char *kind;
	const char *text; /**< as written by ic_location_text() */
};

/** A parameter of an inlined call in .BTF.inline. */
struct ic_btf_row_parameter {
	const char *name;
	const char *type; /**< in C notation */
	uint64_t size;    /**< IC_NO_ADDR if unknown */
	struct ic_btf_row_location location;
};

/** An inlined call in a .BTF.inline table. */
struct ic_btf_site_row {
	const char *type; /**< "site" */
	const char *file;
	const char *function;
	uint32_t function_id; /**< the number of its type */
	const char *host;
	uint32_t host_id; /**< 0 if unknown */
	const char *section;
	uint64_t offset; /**< see struct ic_btf_inline_site */
	const struct ic_btf_row_parameter *params;
	size_t param_count;
};

/**
 * A count of items in a .BTF.inline table, or of its encoding. The library makes no such rows:
 * callers who count pass them to a report.
 */
struct ic_btf_tally_row {
	const char *type; /**< "tally" */
	const char *file;
	const char *of;   /**< "call", "parameter", "type" or "fault" */
	const char *what; /**< in a few words */
	uint64_t count;
	/** Where the first ones are: offsets of records, or addresses; IC_NO_ADDR if there are
	 *  fewer, or it is unknown. */
	uint64_t first, second, third;
};

/** How to recover the caller's value of a register, or the canonical frame address (CFA). */
struct ic_row_rule {
	const char *name; /**< "register" in JSON: the one that is recovered; NULL for the CFA */
	uint32_t number;  /**< its DWARF number; 0 for the CFA */
	/** "undefined", "same", "memory", "value", "register", "expression", "value_expression" or
	 *  "constant" */
	const char *kind;
	const char *text; /**< as from ic_call_frame_reader_text() */
	const char *from; /**< "register": its name */
	/** "memory" and "value": from the CFA; "register": from that register; "constant": the
	 *  constant. Otherwise INT64_MIN. */
	int64_t offset;
};

/** A range of addresses, with the rules to recover the caller's registers. */
struct ic_call_frame_rule_row {
	const char *type; /**< "call_frame" */
	const char *file;
	const char *function; /**< the symbol that contains the code; NULL if none does */
	uint64_t start, end;
	const char *section;
	struct ic_row_rule cfa;
	const struct ic_row_rule *registers;
	size_t register_count;
	const char *return_register;
	bool is_signal;    /**< "signal" in JSON: see struct ic_call_frame_entry */
	const char *table; /**< ".eh_frame", ".debug_frame" or ".sframe" */
	uint64_t fde;      /**< its offset in `table` */
	/** Not a key; "registers" in CSV: "%rbx=[CFA-16] %rip=[CFA-8]"; NULL if there are none. */
	const char *rules_text;
};

/**
 * An entry of call frame information, or an instruction in it. Fields that its type does not have
 * are not output.
 */
struct ic_call_frame_item_row {
	const char *type; /**< "cie", "fde", "terminator" or "instruction" */
	const char *file;
	const char *table;    /**< ".eh_frame", ".debug_frame" or ".sframe" */
	uint64_t offset;      /**< in `table` */
	uint64_t size;        /**< for an entry */
	const char *function; /**< for an FDE, see struct ic_call_frame_rule_row */
	uint64_t start, end;  /**< for an FDE */
	const char *section;
	uint64_t cie;     /**< IC_NO_ADDR in .sframe */
	const char *lsda; /**< its address; in brackets that of a word that holds it */
	uint32_t version; /**< for a CIE */
	const char *augmentation;
	uint64_t code_align;
	int64_t data_align;
	const char *return_register;
	const char *personality; /**< see `lsda` */
	bool is_signal;          /**< "signal" in JSON */
	const char *text;        /**< for an instruction, such as "DW_CFA_def_cfa: %rsp +8" */
	enum ic_call_frame_item_kind kind; /**< not a key: same as `type` */
};

/** An argument of a thread's frame. */
struct ic_row_argument {
	const char *name, *type;
	const char *value;   /**< NULL if unavailable */
	const char *how;     /**< see struct ic_backtrace_argument */
	bool is_entry_value; /**< not a key: from `how` */
};

/** A frame of a thread. */
struct ic_row_thread_frame {
	uint64_t address;
	const char *module; /**< path, or the kernel's name for the mapping */
	const char *function, *linkage_name;
	uint64_t offset; /**< of the address in the symbol; IC_NO_ADDR if there is none */
	const char *file;
	uint32_t line, column;
	bool inlined;
	/** "given", "call_frames", "code", "frame_pointer", "call" or "tail_call" */
	const char *found;
	bool signal;                             /**< it returns from a signal */
	const char *callee;                      /**< see struct ic_backtrace_frame */
	bool jit;                                /**< see struct ic_backtrace_frame */
	const struct ic_row_argument *arguments; /**< NULL if unknown */
	size_t argument_count;
	const struct ic_row_argument *variables; /**< NULL if unknown */
	size_t variable_count;
	uint64_t module_addr;   /**< not a key: IC_NO_ADDR if unknown */
	uint32_t number;        /**< not a key: of the frame on the stack */
	enum ic_unwind_how how; /**< not a key: same as `found` */
};

/** A thread with the same stack as another. */
struct ic_row_other_thread {
	const char *core;        /**< see struct ic_thread_row */
	uint64_t tid, goroutine; /**< see struct ic_thread_row */
};

/** A thread, or several with the same stack; or goroutines that no thread runs. */
struct ic_thread_row {
	const char *type;  /**< "thread" or "goroutine" */
	const char *core;  /**< path of the core that has it; NULL for a process */
	uint64_t pid, tid; /**< no `tid` for a goroutine: IC_NO_ADDR */
	const char *name;
	uint64_t goroutine; /**< its ID; IC_NO_ADDR for a thread */
	const char *state;  /**< of the goroutine; NULL for a thread */
	uint64_t signal;    /**< IC_NO_ADDR if none */
	const struct ic_row_thread_frame *frames;
	size_t frame_count;
	const char *end;                          /**< why there are no more frames */
	const struct ic_row_other_thread *others; /**< threads with this stack */
	size_t other_count;
	enum ic_unwind_end end_kind; /**< not a key: same as `end` */
	/** Not keys: arguments, and variables, were requested; the rows are from several cores. */
	bool has_arguments, has_variables, has_cores;
	bool is_processor; /**< not a key: from a kernel dump; `tid` is its number */
};

/** DIEs that break a rule: a count, or one of them. */
struct ic_lint_row {
	const char *type; /**< "count", or "finding" below it */
	const char *file;
	const char *rule;
	const char *severity;  /**< "error", "warning" or "note" */
	const char *paragraph; /**< the section of the standard */
	const char *producer;
	uint64_t count; /**< for a finding UINT64_MAX */
	/** For a finding, see struct ic_lint_finding. */
	const char *section;
	uint64_t die; /**< IC_NO_ADDR for a count */
	const char *die_file, *unit, *function, *source;
	uint32_t line;
	const char *text;
	const char *summary; /**< not a key: of the rule */
};

/** A probe. */
struct ic_probe_row {
	const char *type; /**< "probe" */
	const char *file;
	const char *tracer; /**< as from ic_tracer_name() */
	const char *group, *event;
	const char *definition, *why_not, *left_out; /**< see struct ic_probe */
	/** "entry", "line", "returned" for IC_PROBE_RETURN, or for an exit the name from
	 *  ic_exit_kind_name(), or "exit" if that is unknown. */
	const char *at;
	const char *doubt; /**< see struct ic_probe */
	const char *function, *linkage_name;
	bool inlined;
	const char *call_file;
	uint32_t call_line, call_column;
	const char *host;
	const char *section;
	uint64_t address;
	uint64_t file_offset; /**< IC_NO_ADDR if unknown */
	const char *symbol;
	uint64_t offset; /**< in the symbol; IC_NO_ADDR if there is none */
	bool ambiguous;  /**< other code has a symbol with the same name */
	uint64_t die;
	const char *die_file;
	const struct ic_row_parameter *params; /**< NULL if unknown */
	size_t param_count;
	bool variadic;
	const struct ic_site_caller *chain; /**< see struct ic_site_row; NULL if unknown */
	size_t chain_count;
	/** For a line: its position, and the functions there, innermost first. */
	const char *source;
	uint32_t line, column;
	const struct ic_frame *frames; /**< NULL if it is not for a line */
	size_t frame_count;
	enum ic_tracer for_tracer; /**< not a key: same as `tracer` */
};

struct ic_hit_row; // <inlinecall/extra/traced_row.h>, like the next two
struct ic_hit_count_row;
struct ic_group_row;
struct ic_profile_row;  // <inlinecall/extra/profile_row.h>
struct ic_size_row;     // <inlinecall/extra/size_row.h>
struct ic_change_row;   // <inlinecall/extra/change_row.h>
struct ic_rule_row;     // <inlinecall/extra/rule_row.h>
struct ic_affected_row; // <inlinecall/extra/affected_row.h>
struct ic_table_row;    // <inlinecall/extra/table_row.h>

/**
 * A row: only the member for its kind is not NULL. The members are in the order of enum
 * ic_rows_kind.
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
	const struct ic_group_row *group;
	const struct ic_profile_row *profile;
	const struct ic_size_row *size;
	const struct ic_change_row *change;
	const struct ic_affected_row *affected;
	const struct ic_rule_row *rule;
	const struct ic_table_row *table;
};

#ifdef __cplusplus
}
#endif

#endif
