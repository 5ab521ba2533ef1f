// Everything: which functions were inlined where, from the DWARF of ELF files.
//
// Open an image, build its index, select sites, and walk or report them; examples/ has programs.
#ifndef INLINECALL_INLINECALL_H
#define INLINECALL_INLINECALL_H

#include <inlinecall/addresses.h>
#include <inlinecall/archive.h>
#include <inlinecall/backtrace.h>
#include <inlinecall/btf_dwarf.h>
#include <inlinecall/btf_encode.h>
#include <inlinecall/btf_inline.h>
#include <inlinecall/call_before.h>
#include <inlinecall/call_frames.h>
#include <inlinecall/call_values.h>
#include <inlinecall/counts.h>
#include <inlinecall/debuginfod.h>
#include <inlinecall/demangle.h>
#include <inlinecall/emit.h>
#include <inlinecall/entries.h>
#include <inlinecall/error.h>
#include <inlinecall/evaluate.h>
#include <inlinecall/exits.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>
#include <inlinecall/lines.h>
#include <inlinecall/lint.h>
#include <inlinecall/locals.h>
#include <inlinecall/location.h>
#include <inlinecall/lookup.h>
#include <inlinecall/mentions.h>
#include <inlinecall/module_files.h>
#include <inlinecall/parameters.h>
#include <inlinecall/placement.h>
#include <inlinecall/probe.h>
#include <inlinecall/profile.h>
#include <inlinecall/profile_row.h>
#include <inlinecall/range.h>
#include <inlinecall/registers.h>
#include <inlinecall/report.h>
#include <inlinecall/row.h>
#include <inlinecall/rows.h>
#include <inlinecall/size_row.h>
#include <inlinecall/sizes.h>
#include <inlinecall/space.h>
#include <inlinecall/span.h>
#include <inlinecall/statistics.h>
#include <inlinecall/stored.h>
#include <inlinecall/symbolizer.h>
#include <inlinecall/tail_calls.h>
#include <inlinecall/target.h>
#include <inlinecall/trace.h>
#include <inlinecall/traced_row.h>
#include <inlinecall/tree.h>
#include <inlinecall/unwind.h>
#include <inlinecall/verdict.h>
#include <inlinecall/version.h>
#include <inlinecall/window.h>

#endif
