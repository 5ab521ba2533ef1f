#include "btf/compare.h"

#include "btf/encode.h"
#include "btf/tally.h"

static void take_difference(void *context, enum ic_btf_difference difference, uint64_t addr)
{
	cli_btf_tally_add((struct cli_btf_tally *)context + difference, addr);
}

static const char *object_of(enum ic_btf_difference difference)
{
	return difference >= IC_BTF_DIFFERENCE_SAME ? "parameter" : "call";
}

// Positions are printed only for faults.
static bool print_differences(struct cli_report *report, const struct cli_btf_tally *differences)
{
	bool any = false;

	for (unsigned i = 0; i < IC_BTF_DIFFERENCE_COUNT_OF; i++) {
		enum ic_btf_difference difference = (enum ic_btf_difference)i;
		bool is_fault = ic_btf_difference_is_fault(difference);
		if (differences[i].count == 0)
			continue;
		any |= is_fault;
		cli_btf_tally_print(report, object_of(difference), &differences[i],
				    ic_btf_difference_text(difference), is_fault);
	}
	return any;
}

static enum cli_status compare_tables(struct cli_report *report, const struct cli_btf_table *table,
				      struct ic_image *image, struct ic_index_options *options)
{
	struct cli_btf_tally differences[IC_BTF_DIFFERENCE_COUNT_OF] = { { .count = 0 } };
	struct ic_index *index = cli_btf_index_build(image, options);
	struct ic_error err;

	if (!index)
		return CLI_INCOMPLETE;
	bool has_problems = cli_files_print_index_problems(index, ic_image_path(image));
	bool ok = ic_btf_compare(table->table, image, index, take_difference, differences, &err);
	bool any = ok && print_differences(report, differences);
	if (!ok)
		cli_complain("%s: %s", table->file.path, err.message);
	ic_index_free(index);
	if (!ok || has_problems)
		return CLI_INCOMPLETE;
	return any ? CLI_NOTHING : CLI_ANSWERED;
}

enum cli_status cli_btf_compare(struct cli_report *report, const struct cli_btf_table *table,
				struct cli_files *files, struct ic_index_options *options,
				const char *path)
{
	enum cli_status status = cli_files_begin(files);

	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open_one(files, path);
	status = image ? compare_tables(report, table, image, options) : CLI_INCOMPLETE;
	ic_image_free(image);
	cli_files_end(files);
	return status;
}
