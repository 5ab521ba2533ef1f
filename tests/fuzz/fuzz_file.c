// Fuzzes whole ELF files, and walks all that the public API returns for them.
// Wanted: an error that says why, or a sound index; the same of its table of inlined calls.
#include <inlinecall/extra/btf_inline.h>
#include <inlinecall/extra/image.h>
#include <inlinecall/extra/sizes.h>
#include <inlinecall/extra/statistics.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/index.h>
#include <inlinecall/parameters.h>

#include "api_walk.h"
#include "fuzz_input.h"
#include "model_check.h"
#include "open_guard.h"

// Those of a kernel: the table is small if the file is.
static void check_traced_functions(struct ic_image *image)
{
	struct ic_error err = { 0 };
	uint64_t *addrs;
	size_t count;

	if (!ic_image_traced_functions(image, &addrs, &count, &err))
		PROMISE_REASON(err);
	for (size_t i = 1; i < count; i++)
		PROMISE(addrs[i - 1] <= addrs[i]);
	free(addrs);
}

// Each byte of the code is in one group, whatever these are.
static void check_sizes(const struct ic_index *index)
{
	for (int by = 0; by < IC_SIZES_OF_ALL; by++) {
		const struct ic_sizes_query query = { .by = (enum ic_sizes_by)by };
		struct ic_sizes *sizes = ic_sizes_find(index, &query, NULL);
		struct ic_sizes_total total;
		struct ic_size size;
		uint64_t sum = 0;

		PROMISE(sizes);
		ic_sizes_total(sizes, &total);
		for (size_t i = 0; ic_sizes_get(sizes, i, &size); i++) {
			PROMISE(size.self_inlined <= size.self);
			// A function may reach into another section.
			PROMISE(size.self <= size.total || by == IC_SIZES_BY_SECTION);
			sum += size.self;
		}
		PROMISE(sum == total.functions + total.symbols + total.linkage + total.padding +
				       total.unnamed);
		PROMISE(total.code == 0 || total.code == sum);
		ic_sizes_free(sizes);
	}
}

static void check_image(struct ic_image *image, const char *path)
{
	const struct ic_index_options options = {
		.jobs = 1, .calls = true, .declarations = true, .parameters = true, .entries = true
	};
	struct ic_error err = { 0 };
	struct ic_index *index = ic_index_build(image, &options, &err);

	PROMISE(!strcmp(ic_image_path(image), path));
	fuzz_read_text(ic_image_debug_path(image), NULL);
	check_traced_functions(image);
	uint64_t hash;
	if (index) {
		model_check(index);
		check_sizes(index);
		PROMISE(api_walk(image, index, &hash, &err)); // memory suffices
	} else {
		PROMISE_REASON(err);
	}
	ic_index_free(index);
}

enum { MOST_SITES = 64 };

// What every site of a table says, and what is at its entry.
static void check_sites(struct ic_image *image, const struct ic_index *index,
			const struct ic_btf_inline *table)
{
	const struct ic_sites_query query = { .out_of_line = true };
	const struct ic_symbolizer_options options = { .jobs = 1, .inline_table = table };
	struct ic_sites *sites = ic_sites_find(index, &query, NULL);
	struct ic_parameters *parameters = ic_parameters_open(image, index, NULL, NULL);
	struct ic_symbolizer *symbolizer = ic_symbolizer_new(image, &options, NULL);
	const struct ic_parameter *list;
	struct ic_frame frames[8];
	struct ic_site site;

	PROMISE(sites && parameters && symbolizer);
	for (size_t i = 0; i < MOST_SITES && ic_sites_get(sites, i, &site); i++) {
		PROMISE(site.has_only_entry == (site.kind == IC_SITE_INLINED));
		PROMISE(!site.has_only_entry || (site.range_count == 0 && site.depth == 0));
		PROMISE(ic_parameters_find(parameters, &site, IC_NO_ADDR, NULL));
		for (size_t j = ic_parameters_list(parameters, &list); j > 0; j--)
			if (list[j - 1].type)
				PROMISE(fuzz_read_text(list[j - 1].type, NULL) > 0);
		size_t count = ic_symbolizer_frames_at(symbolizer, site.entry, frames, 8);
		for (size_t j = 0; j < count && j < 8; j++)
			if (frames[j].function)
				fuzz_read_text(frames[j].function, NULL);
	}
	ic_symbolizer_free(symbolizer);
	ic_parameters_free(parameters);
	ic_sites_free(sites);
}

static size_t count_sites(const struct ic_index *index, const char *name)
{
	const struct ic_sites_query query = { .function = name };
	struct ic_sites *sites = ic_sites_find(index, &query, NULL);

	PROMISE(sites);
	size_t count = ic_sites_count(sites);
	ic_sites_free(sites);
	return count;
}

// Every call counts, wherever it is.
static void check_statistics(struct ic_image *image, const struct ic_index *index)
{
	struct ic_parameters *parameters = ic_parameters_open(image, index, NULL, NULL);
	struct ic_statistics *statistics = ic_statistics_find(index, NULL, NULL);
	struct ic_sites *sites = ic_sites_find(index, NULL, NULL);
	struct ic_argument_statistics arguments;
	struct ic_statistic total;

	PROMISE(parameters && statistics && sites);
	ic_statistics_total(statistics, &total);
	PROMISE(total.copies == ic_sites_count(sites) && total.size == IC_STATISTIC_NONE);
	PROMISE(ic_arguments_count(parameters, index, NULL, &arguments, NULL));
	PROMISE(arguments.all.copies == total.copies);
	PROMISE(arguments.few.copies <= arguments.all.copies);
	ic_sites_free(sites);
	ic_statistics_free(statistics);
	ic_parameters_free(parameters);
}

// Reading only what a name needs must find what reading everything does.
static void check_table(struct ic_image *image, const struct ic_btf_inline *table)
{
	static const char *const names[] = { "leaf", NULL };
	struct ic_index_options options = { .jobs = 1, .inline_table = table };
	struct ic_error err = { 0 };
	struct ic_index *whole = ic_index_build(image, &options, &err);

	options.functions = names;
	struct ic_index *some = ic_index_build(image, &options, &err);
	if (whole && some) {
		model_check(whole);
		model_check(some);
		PROMISE(count_sites(some, names[0]) == count_sites(whole, names[0]));
		check_sites(image, whole, table);
		check_statistics(image, whole);
	} else {
		PROMISE_REASON(err);
	}
	ic_index_free(some);
	ic_index_free(whole);
}

// A file that need not have DWARF, by its table of inlined calls.
static void check_inline(const char *path, const struct ic_image_options *options)
{
	struct ic_image_options without = *options;
	const void *bytes = NULL, *table_bytes;
	size_t size = 0, table_size;

	without.allow_no_debug = true;
	struct ic_image *image = ic_image_open(path, &without, NULL);
	if (image && ic_image_section(image, ".BTF.inline", &table_bytes, &table_size, NULL)) {
		struct ic_btf *types = NULL;
		if (ic_image_section(image, ".BTF", &bytes, &size, NULL))
			types = ic_btf_parse(bytes, size, NULL, NULL);
		struct ic_btf_inline *table =
			ic_btf_inline_parse(table_bytes, table_size, types, NULL);
		if (table)
			check_table(image, table);
		ic_btf_inline_free(table);
		ic_btf_free(types);
	}
	ic_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options options = { .debug_dirs = nowhere, .debug_dir_count = 1 };
	const char *path = open_guard_put(data, size);
	struct ic_error err = { 0 };
	struct ic_image *image = ic_image_open(path, &options, &err);

	if (image)
		check_image(image, path);
	else
		PROMISE_REASON(err);
	ic_image_free(image);
	check_inline(path, &options);
	return 0;
}
