#include "btf_convert.h"

#include "output_file.h"

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

static enum cli_status convert(const struct cli_btf_table *table,
			       const struct cli_btf_encode *options, struct ic_image *image)
{
	struct ic_error err;
	struct ic_btf_encoding *encoding =
		ic_btf_convert(table->table, image, options->options.format, &err);

	if (!encoding) {
		cli_complain("%s: %s", table->file.path, err.message);
		return CLI_INCOMPLETE;
	}
	const struct ic_btf_encode_counts *counts = ic_btf_encoding_counts(encoding);
	bool any = cli_btf_counts_any(counts), ok = !any || write_table(options->output, encoding);
	if (ok)
		cli_btf_counts_print(counts, options->output);
	ic_btf_encoding_free(encoding);
	if (!ok)
		return CLI_INCOMPLETE;
	return any ? CLI_ANSWERED : CLI_NOTHING;
}

enum cli_status cli_btf_convert(const struct cli_btf_table *table,
				const struct cli_btf_encode *options, const char *path)
{
	const struct ic_image_options symbols_do = { .allow_no_debug = true };
	struct ic_image *image = table->file.image;
	struct ic_error err;

	if (path)
		image = ic_image_open(path, &symbols_do, &err);
	if (path && !image) {
		cli_complain("%s", err.message);
		return CLI_INCOMPLETE;
	}
	enum cli_status status = convert(table, options, image);
	if (path)
		ic_image_close(image);
	return status;
}
