#include "btf/encode.h"

#include <string.h>

#include "base/btf_files.h"
#include "base/output_file.h"
#include "btf/tally.h"

static enum cli_status take_missing(struct cli_btf_encode *encode, const char *what)
{
	if (strcmp(what, "skip") == 0)
		encode->options.missing = IC_BTF_MISSING_SKIP;
	else if (strcmp(what, "zero") == 0)
		encode->options.missing = IC_BTF_MISSING_ZERO;
	else if (strcmp(what, "extend") == 0)
		encode->options.missing = IC_BTF_MISSING_EXTEND;
	else
		return cli_usage_error("--missing must be skip, zero or extend, not '%s'", what);
	return CLI_ANSWERED;
}

static enum cli_status take_format(struct cli_btf_encode *encode, const char *format)
{
	if (strcmp(format, "rfc") == 0)
		encode->options.format = IC_BTF_INLINE_RFC;
	else if (strcmp(format, "loc") == 0)
		encode->options.format = IC_BTF_INLINE_LOC;
	else
		return cli_usage_error("--format must be rfc or loc, not '%s'", format);
	return CLI_ANSWERED;
}

bool cli_btf_encode_take(struct cli_btf_encode *encode, enum cli_option option, char *argument,
			 enum cli_status *status)
{
	*status = CLI_ANSWERED;
	switch (option) {
	case CLI_OPTION_OUTPUT: encode->output = argument; return true;
	case CLI_OPTION_FORMAT: *status = take_format(encode, argument); return true;
	case CLI_OPTION_BTF_OUTPUT: encode->types_output = argument; break;
	case CLI_OPTION_INTO: encode->into = true; break;
	case CLI_OPTION_MISSING: *status = take_missing(encode, argument); break;
	default: return false;
	}
	encode->is_encoding = true;
	return true;
}

static void print_count(struct cli_report *report, const char *of, uint64_t count,
			const char *prefix, const char *what)
{
	char text[128];

	snprintf(text, sizeof(text), "%s%s", prefix, what);
	if (count > 0)
		cli_btf_count_print(report, of, count, text);
}

bool cli_btf_counts_any(const struct ic_btf_encode_counts *counts)
{
	return counts->fates[IC_BTF_FATE_WRITTEN] > 0;
}

void cli_btf_counts_print(struct cli_report *report, const struct ic_btf_encode_counts *counts,
			  const char *output)
{
	static const char call[] = "call", type[] = "type", parameter[] = "parameter";

	if (!cli_report_open(report, IC_ROWS_BTF_TALLIES))
		return;
	cli_btf_count_print(report, call, counts->calls, "inlined calls");
	for (unsigned i = 0; i < IC_BTF_FATE_COUNT_OF; i++)
		print_count(report, call, counts->fates[i],
			    i == IC_BTF_FATE_WRITTEN ? "" : "left out: ",
			    ic_btf_fate_text((enum ic_btf_fate)i));
	print_count(report, call, counts->nameless, "",
		    "written without the inlined function, which BTF lacks");
	print_count(report, type, counts->functions_added, "", "functions added to BTF");
	print_count(report, type, counts->types_added, "",
		    "types added to BTF, including these functions");
	print_count(
		report, call, counts->ambiguous, "",
		"written, in functions without a symbol of their own or with an ambiguous name");
	cli_btf_count_print(report, parameter, counts->parameters,
			    "parameters of the written calls");
	for (unsigned i = 0; i < IC_BTF_LOSS_COUNT_OF; i++)
		print_count(report, parameter, counts->losses[i],
			    i <= IC_BTF_LOSS_UNAVAILABLE ? "" : "lost: ",
			    ic_btf_loss_text((enum ic_btf_loss)i));
	cli_report_close(report);
	if (!cli_btf_counts_any(counts))
		cli_complain("%s was not written: it would have no calls", output);
}

bool cli_btf_problems_print(const struct ic_btf_encoding *encoding, const char *path)
{
	struct ic_index_problem problem;
	bool any = false;

	for (size_t i = 0; ic_btf_encoding_problem_get(encoding, i, &problem); i++)
		any |= cli_files_print_problem(&problem, path);
	return any;
}

static bool write_into(struct cli_output_file *out, const struct ic_image *image,
		       const struct ic_image_addition *sections, size_t count)
{
	struct ic_error err;
	bool ok = ic_image_write(image, sections, count, out->stream, &err);

	if (!ok)
		cli_complain("%s", err.message);
	return ok;
}

static bool write_all(const struct cli_btf_encode *encode, const struct ic_image *image,
		      const struct ic_btf_encoding *encoding)
{
	struct ic_image_addition sections[] = { { .name = ".BTF.inline" }, { .name = ".BTF" } };
	struct cli_output_file out[CLI_OUTPUT_MOST_FILES];
	const char *like = encode->into ? ic_image_path(image) : NULL;
	size_t count = 0;

	sections[0].bytes = ic_btf_encoding_bytes(encoding, &sections[0].size);
	sections[1].bytes = ic_btf_encoding_types(encoding, &sections[1].size);
	bool ok = cli_output_file_open(&out[count], encode->output, like);
	count += ok;
	if (ok && encode->types_output) {
		ok = cli_output_file_open(&out[count], encode->types_output, NULL);
		count += ok;
	}
	if (ok && encode->into)
		ok = write_into(&out[0], image, sections, sections[1].bytes ? 2 : 1);
	else if (ok)
		for (size_t i = 0; i < count; i++)
			fwrite(sections[i].bytes, 1, sections[i].size, out[i].stream);
	return cli_output_files_close(out, count, ok);
}

const char *cli_btf_encode_fault(const struct cli_btf_encode *encode)
{
	bool extends = encode->options.missing == IC_BTF_MISSING_EXTEND;

	if (encode->types_output && !extends)
		return "--btf-output requires --missing=extend";
	if (encode->types_output && encode->into)
		return "--btf-output cannot be used with --into, which puts the types into the "
		       "copy";
	if (extends && !encode->into && !encode->types_output &&
	    encode->options.format != IC_BTF_INLINE_LOC)
		return "--missing=extend requires --into, --btf-output for the types, or "
		       "--format=loc, whose tables can contain them";
	return NULL;
}

struct ic_index *cli_btf_index_build(struct ic_image *image, struct ic_index_options *options)
{
	struct cli_progress progress;
	struct ic_error err;

	cli_progress_begin(&progress, ic_image_path(image));
	options->parameters = true;
	options->progress = cli_progress_show;
	options->progress_context = &progress;
	struct ic_index *index = ic_index_build(image, options, &err);
	cli_progress_end(&progress);
	if (!index)
		cli_complain("%s", err.message);
	return index;
}

static bool lacks_functions(const struct ic_btf_encode_counts *counts)
{
	return counts->fates[IC_BTF_FATE_NO_CALLEE] > 0 || counts->fates[IC_BTF_FATE_NO_CALLER] > 0;
}

static enum cli_status encode_table(struct cli_btf_encode *encode, struct ic_image *image,
				    const struct ic_btf *types)
{
	const char *path = ic_image_path(image);
	struct ic_error err;
	struct ic_index *index = cli_btf_index_build(image, &encode->index);

	if (!index)
		return CLI_INCOMPLETE;
	bool has_problems = cli_files_print_index_problems(index, path);
	struct ic_btf_encoding *encoding =
		ic_btf_encode(image, index, types, &encode->options, &err);
	if (!encoding)
		cli_complain("%s", err.message);
	bool any = encoding && cli_btf_counts_any(ic_btf_encoding_counts(encoding));
	bool ok = encoding && (!any || write_all(encode, image, encoding));
	if (ok) {
		encode->report->rows.file = path;
		cli_btf_counts_print(encode->report, ic_btf_encoding_counts(encoding),
				     encode->output);
		has_problems |= cli_btf_problems_print(encoding, path);
	}
	if (ok && !any && encode->options.missing == IC_BTF_MISSING_SKIP &&
	    lacks_functions(ic_btf_encoding_counts(encoding)))
		cli_complain("%s: --missing=extend adds the functions that BTF lacks", path);
	ic_btf_encoding_free(encoding);
	ic_index_free(index);
	if (!ok || has_problems)
		return CLI_INCOMPLETE;
	return any ? CLI_ANSWERED : CLI_NOTHING;
}

enum cli_status cli_btf_encode_run(struct cli_btf_encode *encode, const char *path)
{
	enum cli_status status = cli_files_begin(encode->files);
	struct cli_btf_table table;

	if (encode->options.missing == IC_BTF_MISSING_EXTEND && !encode->into &&
	    !encode->types_output)
		encode->options.missing = IC_BTF_MISSING_INSIDE;

	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open_one(encode->files, path);
	status = CLI_INCOMPLETE;
	if (image && cli_btf_types_open(&table, image, encode->types, encode->base))
		status = encode_table(encode, image, table.types);
	if (image)
		cli_btf_table_close(&table);
	cli_files_end(encode->files);
	return status;
}
