#include "compare/rule_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

enum { MOST_INCLUDED = 16, MOST_NAME = 512 };

struct source { // a file that is read line by line
	struct ic_rules *rules;
	const char *path;
	FILE *stream;
	char *line;
	size_t capacity;
	uint32_t number;
	bool ok;
};

static bool open_source(struct source *source, struct ic_rules *rules, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;

	*source = (struct source){ .rules = rules, .path = path, .ok = true };
	source->stream = is_stdin ? stdin : fopen(path, "r");
	if (!source->stream)
		cli_complain("%s: cannot open: %s", path, strerror(errno));
	return source->stream;
}

static bool next_line(struct source *source)
{
	if (getline(&source->line, &source->capacity, source->stream) > 0) {
		source->number++;
		return true;
	}
	if (!feof(source->stream)) {
		cli_complain("%s: cannot read: %s", source->path, strerror(errno));
		source->ok = false;
	}
	return false;
}

static bool close_source(struct source *source)
{
	if (source->stream != stdin)
		fclose(source->stream);
	free(source->line);
	return source->ok;
}

static void add_rule(struct source *source, const char *text)
{
	struct ic_error err;

	if (ic_rules_add(source->rules, source->path, source->number, text, &err))
		return;
	cli_complain("%s", err.message);
	source->ok = false;
}

// ---- Rules

static bool read_rules(struct ic_rules *rules, const char *path, int depth);

// "include FILE": relative to the file with the line.
static void include_file(struct source *source, const char *name, int depth)
{
	size_t length = strcspn(name, "\r\n");
	const char *slash = name[0] == '/' ? NULL : strrchr(source->path, '/');
	char *path;

	if (asprintf(&path, "%.*s%.*s", slash ? (int)(slash + 1 - source->path) : 0, source->path,
		     (int)length, name) < 0) {
		cli_complain("out of memory");
		source->ok = false;
		return;
	}
	if (depth == MOST_INCLUDED) {
		cli_complain("%s:%u: too many files include each other", source->path,
			     source->number);
		source->ok = false;
	} else {
		source->ok &= read_rules(source->rules, path, depth + 1);
	}
	free(path);
}

static bool read_rules(struct ic_rules *rules, const char *path, int depth)
{
	struct source source;

	if (!open_source(&source, rules, path))
		return false;
	while (next_line(&source)) {
		const char *text = source.line + strspn(source.line, " \t");
		if (strncmp(text, "include ", 8) == 0)
			include_file(&source, text + 8 + strspn(text + 8, " \t"), depth);
		else
			add_rule(&source, text);
	}
	return close_source(&source);
}

bool cli_rules_read(struct ic_rules *rules, const char *path)
{
	return read_rules(rules, path, 0);
}

// ---- Probes

// Adds the rule for a probe on a function: a probe sees no call that was inlined.
static void add_probe(struct source *source, const char *function, size_t length)
{
	char rule[MOST_NAME + 48];
	bool is_glob = memchr(function, '*', length) != NULL;

	if (length == 0 || length > MOST_NAME || memchr(function, '"', length)) {
		cli_complain("%s:%u: not the name of a function: '%.*s'", source->path,
			     source->number, (int)(length < 60 ? length : 60), function);
		source->ok = false;
		return;
	}
	snprintf(rule, sizeof(rule),
		 is_glob ? "probe at start of %.*s hits every call"
			 : "probe at start of \"%.*s\" hits every call",
		 (int)length, function);
	add_rule(source, rule);
}

// "FILE:LINE", whose path has a dot.
static bool add_line_probe(struct source *source, const char *place, size_t length)
{
	const char *colon = memrchr(place, ':', length);
	size_t size = colon ? (size_t)(colon - place) : 0, digits = length - size - 1;
	char rule[MOST_NAME + 48];

	if (size == 0 || digits == 0 || length > MOST_NAME || !memchr(place, '.', size) ||
	    strspn(colon + 1, "0123456789") < digits)
		return false;
	snprintf(rule, sizeof(rule), "probe %.*s hits every call", (int)length, place);
	add_rule(source, rule);
	return true;
}

static void refuse_place(struct source *source, const char *probe, size_t length)
{
	cli_complain("%s:%u: not checked, because it is not at the start of a function: %.*s",
		     source->path, source->number, (int)length, probe);
	source->ok = false;
}

static bool is_function_probe(const char *provider, size_t length)
{
	static const char *const names[] = { "kprobe", "kretprobe", "k",         "kr",
					     "uprobe", "uretprobe", "u",         "ur",
					     "fentry", "fexit",     "kfunc",     "kretfunc",
					     "f",      "fr",        "rawfentry", "rawfexit" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == length && memcmp(names[i], provider, length) == 0)
			return true;
	return false;
}

// "kprobe:vfs_read", "uprobe:/bin/bash:readline", "kprobe:vfs_read+9"
static void take_attach_point(struct source *source, const char *probe, size_t length)
{
	const char *colon = memchr(probe, ':', length);
	const char *last = memrchr(probe, ':', length);

	if (!colon || !is_function_probe(probe, (size_t)(colon - probe)))
		return;
	size_t size = (size_t)(probe + length - (last + 1));
	if (memchr(last + 1, '+', size) || (size > 0 && isdigit((unsigned char)last[1])))
		refuse_place(source, probe, length);
	else if (size > 1 && last[1] == '"' && last[size] == '"')
		add_probe(source, last + 2, size - 2);
	else
		add_probe(source, last + 1, size);
}

struct script {    // of bpftrace: where its reader is
	int depth; // of braces
	bool in_comment, in_predicate;
};

// What is neither a comment nor inside of braces or a predicate are attach points.
static void take_script_line(struct source *source, struct script *script)
{
	const char *at = source->line;
	size_t length;

	while (*at) {
		if (script->in_comment) {
			const char *end = strstr(at, "*/");
			script->in_comment = !end;
			at = end ? end + 2 : at + strlen(at);
		} else if (strncmp(at, "//", 2) == 0 || *at == '#') {
			return;
		} else if (strncmp(at, "/*", 2) == 0) {
			script->in_comment = true;
		} else if (script->depth > 0 && *at == '"') {
			for (at++; *at && *at != '"'; at++)
				at += *at == '\\' && at[1];
			at += *at == '"';
		} else if (*at == '{' || *at == '}') {
			script->depth += *at++ == '{' ? 1 : -1;
			script->depth = script->depth < 0 ? 0 : script->depth;
		} else if (*at == '/' && script->depth == 0) {
			script->in_predicate = !script->in_predicate;
			at++;
		} else if (script->depth > 0 || script->in_predicate ||
			   (length = strcspn(at, " \t\r\n,{")) == 0) {
			at++;
		} else {
			take_attach_point(source, at, length);
			at += length;
		}
	}
}

bool cli_rules_read_bpftrace(struct ic_rules *rules, const char *path)
{
	struct script script = { .depth = 0 };
	struct source source;

	if (!open_source(&source, rules, path))
		return false;
	while (next_line(&source))
		take_script_line(&source, &script);
	return close_source(&source);
}

// A line of tracefs begins with 'p' or 'r', perhaps a number, and a colon or a blank.
static const char *skip_tracefs(const char *text)
{
	const char *at = text + 1;

	if (*text != 'p' && *text != 'r')
		return NULL;
	while (isdigit((unsigned char)*at))
		at++;
	if (*at == ':')
		at += strcspn(at, " \t\r\n");
	else if (*at != ' ' && *at != '\t')
		return NULL;
	return at + strspn(at, " \t");
}

// "EVENT=FUNCTION@FILE ARGUMENT", "FUNCTION%return", "p:GROUP/EVENT MODULE:FUNCTION+0 ARGUMENT"
static void take_probe_line(struct source *source)
{
	const char *text = source->line + strspn(source->line, " \t");
	const char *of_tracefs = skip_tracefs(text), *at = of_tracefs ? of_tracefs : text;
	size_t length = strcspn(at, " \t\r\n");
	const char *equals = of_tracefs ? NULL : memchr(at, '=', length);
	const char *colon = of_tracefs ? memrchr(at, ':', length) : NULL;
	const char *start = equals ? equals + 1 : colon ? colon + 1 : at;
	size_t size = strcspn(start, " \t\r\n@+%:;");
	const char *rest = start + size;

	if (length == 0 || *text == '#')
		return;
	if (*rest == '@')
		rest += strcspn(rest, " \t\r\n+%:;");
	if (!of_tracefs && *rest == ':' &&
	    add_line_probe(source, start, length - (size_t)(start - at)))
		return;
	bool is_start = strncmp(rest, "+0", 2) == 0 &&
			strchr(" \t\r\n%", rest[2 + strspn(rest + 2, "0x")]);
	if (size == 0 || isdigit((unsigned char)*start) ||
	    (strchr("+:;", *rest) && *rest && !is_start))
		refuse_place(source, at, length);
	else
		add_probe(source, start, size);
}

bool cli_rules_read_probes(struct ic_rules *rules, const char *path)
{
	struct source source;

	if (!open_source(&source, rules, path))
		return false;
	while (next_line(&source))
		take_probe_line(&source);
	return close_source(&source);
}
