// Decodes units on demand, when an address in them is looked up. The public part is
// inlinecall/symbolizer.h.
//
// Each of the first few lookups reads a unit that .debug_aranges names, only as far as its address
// requires, and discards it. Later ones read the headers of all units; every unit is then decoded
// once, and its model published by an atomic store, after which a lookup takes no lock.
#ifndef SYMBOLIZE_SYMBOLIZER_H
#define SYMBOLIZE_SYMBOLIZER_H

#include <pthread.h>

#include "base/sort.h"
#include "elf/image/binding.h"
#include "elf/symbols/names.h"
#include "index/scan.h"
#include "lines/places.h"
#include "query/find/names.h"
#include "symbolize/function_scopes.h"
#include "symbolize/source_names.h"
#include "symbolize/unit_table.h"
#include "tables/go_names.h"
#include "values/globals.h"
#include "values/parameter_list.h"

#include <inlinecall/symbolizer.h>

enum { IC_MOST_ALONE = 16 }; // as many lookups cost as much as the headers of a kernel's units

struct ic_unit_cell {  // a unit that is decoded on demand
	bool is_taken; // a thread is decoding it: only that one publishes its model
	bool was_read; // already once, only for some addresses
};

struct ic_decoder { // reads units, while others read others
	struct ic_decoder *next;
	struct ic_index index; // with the models of the units that it has read
	struct ic_scan scan;
	struct ic_problems problems; // between these units
};

struct ic_symbolizer_units {                        // under the lock, except what is atomic
	_Atomic(const struct ic_unit_table *) all;  // NULL until it is needed
	_Atomic(const struct ic_unit_table *) rest; // likewise, after an address not found in it
	struct ic_unit_table own_all, own_rest;
	struct ic_bytes aranges;
	bool is_listed;           // .debug_aranges can be used
	struct ic_scan scan;      // of all units, for questions about DIEs
	atomic_uint alone;        // lookups so far that read a single unit
	enum ic_error_code error; // why listing the units failed

	pthread_mutex_t cell_lock; // of the cells and the idle decoders; held for moments
	pthread_cond_t cell_released;
	struct ic_unit_cell *cells; // by unit
	struct ic_decoder *idle;

	pthread_mutex_t rest_lock; // held while `rest` is built; taken before other locks
	bool rest_failed;          // do not try again
};

struct ic_symbolizer_names {                       // under the lock, except what is atomic
	_Atomic(struct ic_symbol_source *) source; // the index's symbols, once opened
	atomic_uint asked;                         // number of lookups of symbols, up to a limit
	bool failed;                               // some are unreadable; reported
	bool is_checked;                           // all of them have been checked for errors
	uint32_t names_alone;         // number of lookups of names that searched the table
	struct ic_symtab_names names; // built later
	bool has_names, names_failed;
	struct ic_error names_error;         // why that failed
	struct ic_source_names source_names; // built when a name is not that of a symbol
	bool has_source_names, source_names_failed;
	// Read when a name in a Go program is not that of a symbol: in tracebacks, the names of
	// instances of generic functions are not. `own_go` is used if the debug information needs
	// no such table.
	struct ic_go_table own_go;
	const struct ic_go_table *go; // `own_go`, or that of the debug information
	struct ic_go_names go_names;
	bool has_go_names, go_names_failed;
	struct ic_binding binding; // read when the target of a call is looked up
	bool has_binding;
};

struct ic_symbolizer_lines { // under the lock, once a line has been looked up
	struct ic_line_sources sources;
	struct ic_place_rows places; // of the file looked up last
	char *file;                  // its name; NULL if there is none
};

struct ic_symbolizer_globals { // under the lock, once a variable has been looked up
	struct ic_globals list;
	bool is_read;
};

struct ic_symbolizer_display { // under the lock, except `is_wanted`
	bool is_wanted;        // frames get display names
	struct ic_names names; // of symbols, and of functions by their addresses in a model
	struct ic_function_scopes scopes;
};

struct ic_symbolizer {
	struct ic_image *image;
	struct ic_debug *debug;      // held
	struct ic_read_options want; // for units
	struct ic_scan_request many; // for lookups of many addresses
	enum ic_symtab_rule symbol_rule;
	struct ic_index index; // its code and sections; the rest is under the lock
	// Numbers of the loaded sections, by the hash of their names.
	struct ic_keyed *loaded_names;
	uint32_t loaded_count;

	pthread_mutex_t lock;          // protects what follows, and is held while decoding
	bool is_loaded;                // the debug information has been loaded
	enum ic_error_code load_error; // why that failed
	struct ic_symbolizer_units units;
	struct ic_symbolizer_names symbols;
	struct ic_symbolizer_lines lines;
	struct ic_symbolizer_globals globals;
	struct ic_symbolizer_display display;
	struct ic_problems problems;
	bool hole_reported;           // a lookup in a hole has been reported
	struct ic_error memory_error; // why memory ran out, if that was requested
};

// The models of a call that needs its units only for some addresses; empty if zero-initialised.
struct ic_partial_models {
	struct ic_unit_model *models;
	uint32_t *number_of; // by unit: its index in `models`, IC_NONE if it has none
};

// Under the lock: makes the DWARF readable on first use. Returns false on failure, which becomes a
// problem.
bool ic_symbolizer_load(struct ic_symbolizer *symbolizer);

// The table of all units, built on first use; NULL if memory runs out or relocations cannot be
// applied.
const struct ic_unit_table *ic_symbolizer_all(struct ic_symbolizer *symbolizer);

// The table of the claims in the units themselves, for an address that no unit in the other table
// covers. NULL if memory runs out. Must not be called with the lock held.
const struct ic_unit_table *ic_symbolizer_rest(struct ic_symbolizer *symbolizer);

// Decodes the units that contain the addresses, which must be sorted. Unless `partial` is NULL, a
// unit needed for only a few of them is at first decoded for these only, and its model put into
// `partial`. Unreadable units become problems. Returns false if memory runs out or the caller stops
// it.
bool ic_symbolizer_decode(struct ic_symbolizer *symbolizer, const struct ic_unit_table *all,
			  const uint64_t *addrs, uint32_t count, struct ic_partial_models *partial,
			  struct ic_error *err);

// The model of a unit of the table, decoded completely on first use. Never NULL.
const struct ic_unit_model *ic_symbolizer_model(struct ic_symbolizer *symbolizer,
						const struct ic_unit_table *all, uint32_t unit);

// Reads the unit whose header is at an offset of .debug_info, as far as an address needs it; if it
// is a skeleton, its split unit, without opening other .dwo files. False if that is not enough: the
// unit refers to others, or has an error.
bool ic_symbolizer_read_alone(struct ic_symbolizer *symbolizer, uint64_t off, uint64_t addr,
			      struct ic_unit_model *model);

void ic_partial_models_free(struct ic_partial_models *partial);

// A decoder that no other thread uses until it is returned. NULL if memory is out.
struct ic_decoder *ic_decoder_borrow(struct ic_symbolizer *symbolizer);
void ic_decoder_return(struct ic_symbolizer *symbolizer, struct ic_decoder *decoder);
void ic_decoders_free(struct ic_decoder *list);

// ic_symbolizer_lookup_at() for an address that `partial`, which may be NULL, was made for.
size_t ic_symbolizer_find(struct ic_symbolizer *symbolizer, const struct ic_partial_models *partial,
			  uint64_t addr, struct ic_frame *frames, size_t capacity,
			  enum ic_lookup_status *status);

// Gives the frames at an address their display names. They are those of an instance in a model, or
// of none.
void ic_symbolizer_name_frames(struct ic_symbolizer *symbolizer, const struct ic_unit_model *model,
			       uint32_t instance, struct ic_frame *frames, size_t count) IC_COLD;

// The start of the symbol that names the code at an address; IC_NO_ADDR if there is none. It is the
// same up to *end.
uint64_t ic_symbolizer_symbol_run(struct ic_symbolizer *symbolizer, uint64_t addr, uint64_t *end);

// The code from an address to another one that has the same functions.
struct ic_code_run {
	const struct ic_unit_model *model; // of the unit that has the answer; NULL if there is none
	uint32_t instance;     // the innermost one, in the model; IC_NONE if there is none
	uint64_t symbol_start; // of the symbol that names the outermost function; IC_NO_ADDR if the
			       // unit names it, or nothing does
	uint64_t end;          // above the address
	uint64_t steps;        // steps to find it: many only if units overlap
};

// Finds the run that contains or starts at an address; units are decoded completely. Addresses with
// the same model, instance and symbol have the same functions in their frames.
void ic_symbolizer_run_at(struct ic_symbolizer *symbolizer, uint64_t addr, struct ic_code_run *run);

// Like ic_symbolizer_frames_at(), for an address in a run. If the instance is replaced by one
// around it, the frames inside that are omitted, and the first frame has the position of the row at
// the address.
size_t ic_symbolizer_run_frames(struct ic_symbolizer *symbolizer, const struct ic_code_run *run,
				uint64_t addr, struct ic_frame *frames, size_t capacity);

// Finds the instance of the innermost frame at an address, decoding its unit completely. Returns
// false if there is none.
bool ic_symbolizer_instance_at(struct ic_symbolizer *symbolizer, uint64_t addr,
			       struct ic_instance_place *place);

#endif
