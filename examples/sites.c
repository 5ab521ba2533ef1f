// Lists where a function was inlined: sites FUNCTION FILE.
#include <inttypes.h>
#include <stdio.h>

#include <inlinecall/inlinecall.h>

static size_t print_site(const struct ic_index *index, const struct ic_site *site)
{
	struct ic_index_section section = { "", 0 }; // stays so in a linked file

	if (site->range_count == 0 || site->entry == IC_SITE_NO_ADDR)
		return 0; // the compiler left nothing of it
	ic_index_section_find(index, site->entry, &section);
	printf("%s%s0x%" PRIx64 " in %s, called at %s:%" PRIu32 "\n", section.name,
	       section.name[0] ? "+" : "", site->entry - section.start,
	       site->host ? site->host : "??", site->call_file ? site->call_file : "??",
	       site->call_line);
	return 1;
}

static int list_sites(const struct ic_index *index, const char *function)
{
	const struct ic_sites_query query = { .function = function };
	struct ic_index_problem problem;
	struct ic_error err;
	struct ic_site site;
	struct ic_sites *sites = ic_sites_find(index, &query, &err);
	size_t printed = 0, problems = 0;

	if (!sites) {
		fprintf(stderr, "%s\n", err.message);
		return 2;
	}
	for (size_t i = 0; ic_sites_get(sites, i, &site); i++)
		printed += print_site(index, &site);
	ic_sites_free(sites);
	for (; ic_index_problem_get(index, problems, &problem);
	     problems++) // the list may lack these
		fprintf(stderr, "%s\n", problem.message);
	return problems > 0 ? 2 : printed == 0;
}

int main(int argc, char **argv)
{
	struct ic_error err;

	if (argc != 3) {
		fprintf(stderr, "usage: %s FUNCTION FILE\n", argv[0]);
		return 64;
	}
	struct ic_image *image = ic_image_open(argv[2], NULL, &err);
	struct ic_index *index = image ? ic_index_build(image, NULL, &err) : NULL;
	if (!index)
		fprintf(stderr, "%s\n", err.message);
	int status = index ? list_sites(index, argv[1]) : 2;
	ic_index_free(index);
	ic_image_close(image);
	return status;
}
