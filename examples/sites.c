// Lists where a function was inlined: sites FUNCTION FILE.
#include <inttypes.h>
#include <stdio.h>

#include <inlinecall/extra/archive.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/inlinecall.h>

static size_t print_site(const struct ic_index *index, const struct ic_site *site)
{
	struct ic_index_section section = { "", 0 }; // unchanged in a linked file

	if (site->range_count == 0 || site->entry == IC_NO_ADDR)
		return 0; // the compiler left no code of it
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
	     problems++) // the list may be missing these
		fprintf(stderr, "%s\n", problem.message);
	return problems > 0 ? 2 : printed == 0;
}

static int list_image(struct ic_image *image, const char *function)
{
	struct ic_error err;
	struct ic_index *index = ic_index_build(image, NULL, &err);

	if (!index)
		fprintf(stderr, "%s\n", err.message);
	int status = index ? list_sites(index, function) : 2;
	ic_index_free(index);
	return status;
}

// An archive contains several files: the worst status counts, but finding something in one of them
// is enough.
static int list_archive(const char *path, const char *function)
{
	struct ic_error err;
	struct ic_member member;
	struct ic_members *members = ic_members_open(path, &err);
	bool found = false, failed = false;

	while (members && ic_members_next(members, NULL, &member, &err)) {
		int status = member.image ? list_image(member.image, function) : 2;
		if (!member.image)
			fprintf(stderr, "%s\n", err.message);
		found |= status == 0;
		failed |= status == 2;
		ic_image_free(member.image);
	}
	if (!members || !ic_members_check(members, &err)) {
		fprintf(stderr, "%s\n", err.message);
		failed = true;
	}
	ic_members_free(members);
	return failed ? 2 : !found;
}

int main(int argc, char **argv)
{
	struct ic_error err;

	if (argc != 3) {
		fprintf(stderr, "usage: %s FUNCTION FILE\n", argv[0]);
		return 64;
	}
	struct ic_image *image = ic_image_open(argv[2], NULL, &err);
	if (!image && err.code == IC_ERROR_ARCHIVE)
		return list_archive(argv[2], argv[1]);
	if (!image)
		fprintf(stderr, "%s\n", err.message);
	int status = image ? list_image(image, argv[1]) : 2;
	ic_image_free(image);
	return status;
}
