#include "btf_convert.h"

#include "output_file.h"

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
	size_t size;
	const void *bytes = ic_btf_encoding_bytes(encoding, &size);
	bool ok = cli_output_file_write(options->output, bytes, size);
	bool any = ic_btf_encoding_counts(encoding)->fates[IC_BTF_FATE_WRITTEN] > 0;
	if (ok) {
		cli_btf_counts_print(ic_btf_encoding_counts(encoding));
		cli_end_print();
	}
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
