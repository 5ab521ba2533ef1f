#include "btf/convert.h"

#include "base/output_file.h"

static bool write_table(const char *output, const struct ic_btf_encoding *encoding)
{
	struct cli_output_file out;
	size_t size;
	const void *bytes = ic_btf_encoding_bytes(encoding, &size);

	if (!cli_output_file_open(&out, output, NULL))
		return false;
	fwrite(bytes, 1, size, out.stream);
	return cli_output_files_close(&out, 1, true);
}

static enum cli_status convert_table(const struct cli_btf_table *table,
				     const struct cli_btf_encode *options, struct ic_image *image)
{
	struct ic_error err;
	struct ic_btf_encoding *encoding =
		ic_btf_convert(table->table, image, options->options.format, &err);

	if (!encoding) {
		cli_complain("%s: %s%s", table->file.path, err.message,
			     err.code != IC_ERROR_ARGUMENT ? ""
			     : table->types                ? "; name it with --symbols-of"
							   : "; name their file with --btf");
		return CLI_INCOMPLETE;
	}
	const struct ic_btf_encode_counts *counts = ic_btf_encoding_counts(encoding);
	bool any = cli_btf_counts_any(counts), ok = !any || write_table(options->output, encoding);
	options->report->rows.file = table->file.path;
	if (ok)
		cli_btf_counts_print(options->report, counts, options->output);
	bool has_problems = image && cli_btf_problems_print(encoding, ic_image_path(image));
	ic_btf_encoding_free(encoding);
	if (!ok || has_problems)
		return CLI_INCOMPLETE;
	return any ? CLI_ANSWERED : CLI_NOTHING;
}

enum cli_status cli_btf_convert(const struct cli_btf_table *table,
				const struct cli_btf_encode *options, const char *path)
{
	struct cli_btf_file other = { .path = NULL };

	if (!path)
		return convert_table(table, options, table->file.image);
	enum cli_status status = cli_btf_file_open(&other, path)
					 ? convert_table(table, options, other.image)
					 : CLI_INCOMPLETE;
	cli_btf_file_close(&other);
	return status;
}
