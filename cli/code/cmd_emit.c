// inlinecall emit FILE -O OUT: debug information about inlined functions, for files without it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/emit.h>

#include "base/files.h"
#include "base/options.h"
#include "base/output_file.h"

static const char usage[] =
	"Usage: inlinecall emit [OPTION]... --output=OUT FILE\n"
	"Write debug information for FILE: its functions, what was inlined into them, and\n"
	"their lines, in DWARF, GSYM or for Breakpad. It is made from the tables\n"
	"of Go's runtime, which even stripped programs have, from a line table, or from\n"
	"the DWARF of FILE, reduced to the small part that symbolizers need.\n";

struct request {
	struct cli_files files;
	struct ic_emit_options emit;
	const char *output, *link;
};

static enum cli_status take_compression(struct request *request, const char *how)
{
	if (strcmp(how, "zlib") == 0)
		request->emit.compression = IC_EMIT_ZLIB;
	else if (strcmp(how, "zstd") == 0)
		request->emit.compression = IC_EMIT_ZSTD;
	else
		return cli_usage_error("--compress must be zlib or zstd, not '%s'", how);
	return CLI_ANSWERED;
}

static enum cli_status take_format(struct request *request, const char *name)
{
	static const char *const names[] = { [IC_EMIT_DWARF] = "dwarf",
					     [IC_EMIT_GSYM] = "gsym",
					     [IC_EMIT_GSYM_2] = "gsym2",
					     [IC_EMIT_BREAKPAD] = "breakpad" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		request->emit.format = (enum ic_emit_format)i;
		return CLI_ANSWERED;
	}
	return cli_usage_error("--format must be dwarf, gsym, gsym2 or breakpad, not '%s'", name);
}

static enum cli_status take_option(void *context, enum cli_option option, char *argument)
{
	struct request *request = context;
	enum cli_status status;
	unsigned long number;

	if (cli_files_take(&request->files, option, argument, &status))
		return status;
	switch (option) {
	case CLI_OPTION_LINK: request->link = argument; return CLI_ANSWERED;
	case CLI_OPTION_OUTPUT: request->output = argument; return CLI_ANSWERED;
	case CLI_OPTION_DWARF:
		if (!cli_parse_number(argument, "--dwarf", 4, 5, &number))
			return CLI_USAGE;
		request->emit.version = (uint32_t)number;
		return CLI_ANSWERED;
	case CLI_OPTION_FORMAT: return take_format(request, argument);
	case CLI_OPTION_COMPRESS: return take_compression(request, argument);
	case CLI_OPTION_JOBS: return cli_take_jobs(argument, &request->emit.jobs);
	default: return cli_hint_at_help();
	}
}

// Makes the debug file in memory, since its checksum goes into a copy of the program. NULL after an
// error message.
static char *make_debug_file(const struct ic_emit *emit, const char *path, size_t *size)
{
	char *bytes = NULL;
	FILE *stream = open_memstream(&bytes, size);
	struct ic_error err;

	bool ok = stream && ic_emit_write(emit, stream, &err);
	if (!ok)
		cli_complain("%s", stream ? err.message : "out of memory");
	// Closing may run out of memory without reporting it.
	if (stream && (fclose(stream) != 0 || !bytes) && ok) {
		cli_complain("%s: out of memory", path);
		ok = false;
	}
	if (ok)
		return bytes;
	free(bytes);
	return NULL;
}

static bool write_debug_file(struct cli_output_file *out, const char *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, out->stream) == size)
		return true;
	cli_complain("%s: cannot write: %s", out->path, strerror(errno));
	return false;
}

static bool write_link(struct cli_output_file *out, const struct ic_image *image,
		       const char *debug_path, const char *bytes, size_t size)
{
	struct ic_error err;
	bool ok = ic_image_write_link(image, cli_base_name(debug_path), bytes, size, out->stream,
				      &err);

	if (!ok)
		cli_complain("%s: %s", out->path, err.message);
	return ok;
}

static bool write_files(const struct request *request, const struct ic_image *image,
			const struct ic_emit *emit)
{
	struct cli_output_file out[CLI_OUTPUT_MOST_FILES];
	size_t count = 0, size;
	char *bytes = make_debug_file(emit, request->output, &size);

	bool ok = bytes && cli_output_file_open(&out[count], request->output, NULL);
	count += ok;
	ok = ok && write_debug_file(&out[0], bytes, size);
	if (ok && request->link) {
		ok = cli_output_file_open(&out[count], request->link, ic_image_path(image));
		count += ok;
		ok = ok && write_link(&out[1], image, request->output, bytes, size);
	}
	free(bytes);
	return cli_output_files_close(out, count, ok);
}

static enum cli_status emit_image(struct request *request, struct ic_image *image)
{
	const char *path = ic_image_path(image);
	struct ic_index_problem problem;
	struct ic_emit_counts counts;
	struct ic_error err;
	struct ic_emit *emit = ic_emit_make(image, &request->emit, &err);
	enum cli_status status = CLI_ANSWERED;

	if (!emit) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	for (size_t i = 0; ic_emit_problem_get(emit, i, &problem); i++)
		if (cli_files_print_problem(&problem, path))
			status = CLI_INCOMPLETE;
	ic_emit_count(emit, &counts);
	if (counts.units == 0) {
		cli_complain("%s was not written: it would be empty", request->output);
		status = status == CLI_ANSWERED ? CLI_NOTHING : status;
	} else if (!write_files(request, image, emit)) {
		status = CLI_INCOMPLETE;
	}
	ic_emit_free(emit);
	return status;
}

static enum cli_status emit_file(struct request *request, const char *path)
{
	enum cli_status status = cli_files_begin(&request->files);
	struct ic_error err;

	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open(&request->files, path, &err);
	if (image) {
		status = emit_image(request, image);
		ic_image_free(image);
	} else {
		cli_complain("%s", err.message);
		status = CLI_INCOMPLETE;
	}
	cli_files_end(&request->files);
	return status;
}

static enum cli_status run_emit(int argc, char **argv)
{
	struct request request = { .output = NULL };
	enum cli_status status;

	cli_files_init(&request.files);
	if (!cli_options_read(&cli_command_emit, argc, argv, take_option, &request, &status))
		return status;
	if (optind + 1 != argc)
		return cli_usage_error(optind == argc ? "no FILE given"
						      : "more than one FILE given");
	if (!request.output)
		return cli_usage_error("emit requires --output=OUT");
	if (cli_output_is(request.output, argv[optind]))
		return cli_usage_error("--output=%s would overwrite an input file", request.output);
	if (request.emit.format != IC_EMIT_DWARF &&
	    (request.link || request.emit.version || request.emit.compression))
		return cli_usage_error(
			"--dwarf, --compress and --link are for --format=dwarf only");
	if (request.link && cli_output_is(request.link, argv[optind]))
		return cli_usage_error("--link=%s would overwrite an input file", request.link);
	if (request.link && cli_output_is(request.link, request.output))
		return cli_usage_error("--link and --output name the same file");
	return emit_file(&request, argv[optind]);
}

const struct cli_command cli_command_emit = {
	.name = "emit",
	.usage = usage,
	.statuses = "0 written; 1 nothing to write; 2 something could not be read or written; 64 "
		    "usage error",
	.which = "What is written",
	.run = run_emit,
};
