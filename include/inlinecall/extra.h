// Everything that the library exports: inlinecall.h, and the headers in extra/, which may change
// between versions even after 1.0.
#ifndef INLINECALL_EXTRA_H
#define INLINECALL_EXTRA_H

#include <inlinecall/extra/addresses.h>
#include <inlinecall/extra/affected.h>
#include <inlinecall/extra/affected_row.h>
#include <inlinecall/extra/archive.h>
#include <inlinecall/extra/backtrace.h>
#include <inlinecall/extra/btf_dwarf.h>
#include <inlinecall/extra/btf_encode.h>
#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/extra/call_before.h>
#include <inlinecall/extra/call_frames.h>
#include <inlinecall/extra/call_values.h>
#include <inlinecall/extra/change_row.h>
#include <inlinecall/extra/compare.h>
#include <inlinecall/extra/debuginfod.h>
#include <inlinecall/extra/emit.h>
#include <inlinecall/extra/entries.h>
#include <inlinecall/extra/evaluate.h>
#include <inlinecall/extra/exits.h>
#include <inlinecall/extra/image.h>
#include <inlinecall/extra/index.h>
#include <inlinecall/extra/lines.h>
#include <inlinecall/extra/lint.h>
#include <inlinecall/extra/locals.h>
#include <inlinecall/extra/mentions.h>
#include <inlinecall/extra/module_files.h>
#include <inlinecall/extra/parameters.h>
#include <inlinecall/extra/placement.h>
#include <inlinecall/extra/probe.h>
#include <inlinecall/extra/profile.h>
#include <inlinecall/extra/profile_row.h>
#include <inlinecall/extra/registers.h>
#include <inlinecall/extra/report.h>
#include <inlinecall/extra/row.h>
#include <inlinecall/extra/rows.h>
#include <inlinecall/extra/sites.h>
#include <inlinecall/extra/size_row.h>
#include <inlinecall/extra/sizes.h>
#include <inlinecall/extra/space.h>
#include <inlinecall/extra/span.h>
#include <inlinecall/extra/statistics.h>
#include <inlinecall/extra/stored.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/extra/tail_calls.h>
#include <inlinecall/extra/target.h>
#include <inlinecall/extra/trace.h>
#include <inlinecall/extra/traced_row.h>
#include <inlinecall/extra/tree.h>
#include <inlinecall/extra/unwind.h>
#include <inlinecall/extra/verdict.h>
#include <inlinecall/extra/window.h>
#include <inlinecall/inlinecall.h>

#endif
