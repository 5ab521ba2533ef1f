// A table of inlined calls that was made of something else.
#ifndef ENCODE_ENCODING_H
#define ENCODE_ENCODING_H

#include <inlinecall/extra/btf_dwarf.h>
#include <inlinecall/parameters.h>

struct ic_btf_encoding {
	struct ic_btf_writer *writer;
	struct ic_parameters *parameters; // with the problems; NULL if none are read
	struct ic_symbolizer *symbolizer; // that of a conversion; NULL if it needs none
	struct ic_btf_encode_counts counts;
	const void *bytes;
	size_t size;
	void *type_bytes; // with what was added; NULL if nothing may be
	size_t types_size;
	struct ic_btf *types; // of these
};

#endif
