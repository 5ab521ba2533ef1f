// Reads rules from files: lines of rules, scripts of bpftrace, lists of probes of perf.
#ifndef CLI_COMPARE_RULE_FILES_H
#define CLI_COMPARE_RULE_FILES_H

#include <inlinecall/extra.h>

// Adds the rules of a file, and of those that it includes. Prints errors, and returns false if
// there were any.
bool cli_rules_read(struct ic_rules *rules, const char *path);

// Adds a rule for each probe of a bpftrace script at the start of a function: that it is never
// inlined. Prints an error for a probe elsewhere in a function. Returns false if anything could not
// be read.
bool cli_rules_read_bpftrace(struct ic_rules *rules, const char *path);

// The same for a list of probes, a line each, as perf-probe(1) takes them, or as tracefs has them.
bool cli_rules_read_probes(struct ic_rules *rules, const char *path);

#endif
