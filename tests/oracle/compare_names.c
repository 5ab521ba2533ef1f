// Queries a file for every name of a function that was inlined, or has a copy or a call, and
// compares an index that was built only for the name with the index of everything:
//	compare_names FILE [EVERY]
// With EVERY, only one of so many names is used. Prints the differences, and the number of names.
#include <inlinecall/extra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names {
	char **items;
	size_t count, capacity;
};

static void *checked(void *memory)
{
	if (!memory)
		exit(3);
	return memory;
}

static void add(struct names *names, const char *name)
{
	if (!name)
		return;
	if (names->count == names->capacity) {
		names->capacity = names->capacity ? 2 * names->capacity : 1024;
		names->items =
			checked(realloc(names->items, names->capacity * sizeof(*names->items)));
	}
	names->items[names->count++] = checked(strdup(name));
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void sort(struct names *names)
{
	size_t kept = 0;

	qsort(names->items, names->count, sizeof(*names->items), compare);
	for (size_t i = 0; i < names->count; i++)
		if (kept == 0 || strcmp(names->items[kept - 1], names->items[i]) != 0)
			names->items[kept++] = names->items[i];
	names->count = kept;
}

static struct ic_index *build(struct ic_image *image, const char *const *functions)
{
	const struct ic_index_options options = { .calls = true, .functions = functions };
	struct ic_error err;
	struct ic_index *index = ic_index_build(image, &options, &err);

	if (!index) {
		fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	return index;
}

static struct ic_sites *find(const struct ic_index *index, const char *name)
{
	const struct ic_sites_query query = { .function = name,
					      .out_of_line = true,
					      .calls = true };

	return checked(ic_sites_find(index, &query, NULL));
}

static bool same_text(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static bool same_site(const struct ic_site *a, const struct ic_site *b)
{
	return a->kind == b->kind && same_text(a->function, b->function) &&
	       same_text(a->linkage_name, b->linkage_name) && a->function_off == b->function_off &&
	       same_text(a->decl_file, b->decl_file) && a->decl_line == b->decl_line &&
	       a->inlining == b->inlining && same_text(a->call_file, b->call_file) &&
	       a->call_line == b->call_line && a->range_count == b->range_count &&
	       memcmp(a->ranges, b->ranges, a->range_count * sizeof(*a->ranges)) == 0 &&
	       a->entry == b->entry && a->return_addr == b->return_addr &&
	       same_text(a->host, b->host) && a->die_off == b->die_off && a->depth == b->depth &&
	       a->unit_number == b->unit_number;
}

static bool same(const struct ic_sites *all, const struct ic_sites *some)
{
	size_t count = ic_sites_count(all);
	bool same = count == ic_sites_count(some);

	for (size_t i = 0; same && i < count; i++) {
		struct ic_site left, right;
		same = ic_sites_get(all, i, &left) && ic_sites_get(some, i, &right) &&
		       same_site(&left, &right);
	}
	return same;
}

static struct names list_names(const struct ic_index *index)
{
	struct ic_sites *sites = find(index, NULL);
	struct names names = { NULL, 0, 0 };
	struct ic_site site;

	for (size_t i = 0; ic_sites_get(sites, i, &site); i++) {
		add(&names, site.function);
		add(&names, site.linkage_name);
	}
	ic_sites_free(sites);
	sort(&names);
	return names;
}

int main(int argc, char **argv)
{
	struct ic_error err;
	struct ic_image *image = argc > 1 ? ic_image_open(argv[1], NULL, &err) : NULL;
	size_t every = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, asked = 0, wrong = 0;

	if (!image || every == 0)
		return 64;
	struct ic_index *all = build(image, NULL);
	struct names names = list_names(all);
	for (size_t i = 0; i < names.count; i += every, asked++) {
		const char *const wanted[] = { names.items[i], NULL };
		struct ic_index *some = build(image, wanted);
		struct ic_sites *left = find(all, wanted[0]), *right = find(some, wanted[0]);
		if (!same(left, right)) {
			printf("%s: %zu sites, %zu of them by name\n", wanted[0],
			       ic_sites_count(left), ic_sites_count(right));
			wrong++;
		}
		ic_sites_free(left);
		ic_sites_free(right);
		ic_index_free(some);
	}
	printf("%zu names\n", asked);
	for (size_t i = 0; i < names.count; i++)
		free(names.items[i]);
	free(names.items);
	ic_index_free(all);
	ic_image_free(image);
	return wrong > 0;
}
