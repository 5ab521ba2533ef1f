// More of inlinecall/backtrace.h: arguments and variables.
#ifndef INLINECALL_EXTRA_BACKTRACE_H
#define INLINECALL_EXTRA_BACKTRACE_H

#include <inlinecall/backtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether they include the values of arguments. */
IC_API bool ic_backtraces_have_arguments(const struct ic_backtraces *backtraces);

/** Whether they include the values of variables, too. */
IC_API bool ic_backtraces_have_variables(const struct ic_backtraces *backtraces);

#ifdef __cplusplus
}
#endif

#endif
