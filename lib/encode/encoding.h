// A table of inlined calls made from another source.
#ifndef ENCODE_ENCODING_H
#define ENCODE_ENCODING_H

#include <inlinecall/extra/btf_dwarf.h>
#include <inlinecall/parameters.h>

struct ic_btf_encoding {
	struct ic_btf_writer *writer;
	struct ic_parameters *parameters; // has the problems; NULL if no parameters are read
	struct ic_symbolizer *symbolizer; // of a conversion; NULL if it needs none
	struct ic_btf_encode_counts counts;
	const void *bytes;
	size_t size;
	void *type_bytes; // including additions; NULL if none are allowed
	size_t types_size;
	struct ic_btf *types; // in `type_bytes`
};

#endif
