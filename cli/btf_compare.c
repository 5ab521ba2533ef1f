#include "btf_compare.h"

#include <inttypes.h>

#include "btf_encode.h"

enum { MOST_EXAMPLES = 3 }; // of a difference

struct differences {
	unsigned long long count;
	uint64_t addrs[MOST_EXAMPLES]; // of the first ones
};

static void take_difference(void *context, enum ic_btf_difference difference, uint64_t addr)
{
	struct differences *differences = (struct differences *)context + difference;

	if (differences->count < MOST_EXAMPLES)
		differences->addrs[differences->count] = addr;
	differences->count++;
}

// Places are only printed of faults.
static bool print_differences(const struct differences *differences)
{
	bool any = false;

	for (unsigned i = 0; i < IC_BTF_DIFFERENCE_COUNT_OF; i++) {
		enum ic_btf_difference difference = (enum ic_btf_difference)i;
		bool is_fault = ic_btf_difference_is_fault(difference);
		if (differences[i].count == 0)
			continue;
		any |= is_fault;
		printf("%llu\t%s%s", differences[i].count, ic_btf_difference_text(difference),
		       is_fault ? "\tat" : "");
		for (unsigned j = 0; is_fault && j < MOST_EXAMPLES && j < differences[i].count; j++)
			printf(" 0x%" PRIx64, differences[i].addrs[j]);
		puts(is_fault && differences[i].count > MOST_EXAMPLES ? " ..." : "");
	}
	cli_end_print();
	return any;
}

static enum cli_status compare(const struct cli_btf_table *table, struct ic_image *image,
			       struct ic_index_options *options)
{
	struct differences differences[IC_BTF_DIFFERENCE_COUNT_OF] = { { .count = 0 } };
	struct ic_index *index = cli_btf_index_build(image, options);
	struct ic_error err;

	if (!index)
		return CLI_INCOMPLETE;
	bool has_problems = cli_files_print_index_problems(index, ic_image_path(image));
	bool ok = ic_btf_compare(table->table, image, index, take_difference, differences, &err);
	bool any = ok && print_differences(differences);
	if (!ok)
		cli_complain("%s: %s", table->file.path, err.message);
	ic_index_free(index);
	if (!ok || has_problems)
		return CLI_INCOMPLETE;
	return any ? CLI_NOTHING : CLI_ANSWERED;
}

enum cli_status cli_btf_compare(const struct cli_btf_table *table, struct cli_files *files,
				struct ic_index_options *options, const char *path)
{
	enum cli_status status = cli_files_begin(files);

	if (status != CLI_ANSWERED)
		return status;
	struct ic_image *image = cli_files_open_one(files, path);
	status = image ? compare(table, image, options) : CLI_INCOMPLETE;
	ic_image_close(image);
	cli_files_end(files);
	return status;
}
