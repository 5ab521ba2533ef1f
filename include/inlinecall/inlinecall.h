// The main interface: which functions were inlined where, from the DWARF of ELF files.
//
// Open an image, build its index, select sites, and walk or report them; examples/ has programs.
#ifndef INLINECALL_INLINECALL_H
#define INLINECALL_INLINECALL_H

#include <inlinecall/backtrace.h>
#include <inlinecall/call_frames.h>
#include <inlinecall/debuginfod.h>
#include <inlinecall/demangle.h>
#include <inlinecall/error.h>
#include <inlinecall/image.h>
#include <inlinecall/index.h>
#include <inlinecall/location.h>
#include <inlinecall/parameters.h>
#include <inlinecall/range.h>
#include <inlinecall/sites.h>
#include <inlinecall/space.h>
#include <inlinecall/symbolizer.h>
#include <inlinecall/target.h>
#include <inlinecall/unwind.h>
#include <inlinecall/version.h>

#endif
