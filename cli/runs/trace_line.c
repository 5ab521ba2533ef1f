#include "runs/trace_line.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const char *linkage_name, const char *function)
{
	return linkage_name ? linkage_name : function;
}

// ---- Places

// Adds a place. If the function that contains the line is unknown there, as its copy is not
// described, the function around it is meant.
static bool add_place(struct cli_trace_line *line, size_t number)
{
	struct ic_line_place place;
	size_t count = ic_lines_get(line->lines, number, &place, NULL, 0), first = 0;
	struct cli_line_place *made = &line->places[line->place_count];

	// If line tables overlap, several rows may have the same address.
	if (!place.is_stmt || place.continues ||
	    (line->place_count > 0 && made[-1].addr == place.range.start))
		return true;
	struct ic_frame *frames = calloc(count, sizeof(*frames));
	if (!frames)
		return false;
	ic_lines_get(line->lines, number, &place, frames, count);
	while (first < count && !frames[first].function)
		first++;
	if (first < count)
		*made = (struct cli_line_place){
			.function = name_of(frames[first].linkage_name, frames[first].function),
			.depth = count - first - 1,
			.addr = place.range.start,
			.file = place.file,
			.line = place.line,
			.column = place.column,
		};
	line->place_count += first < count;
	line->stray_count += first == count;
	free(frames);
	return true;
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// Lists the functions of the places, without repetitions.
static void list_functions(struct cli_trace_line *line)
{
	size_t count = 0;

	for (size_t i = 0; i < line->place_count; i++)
		line->functions[i] = line->places[i].function;
	qsort(line->functions, line->place_count, sizeof(*line->functions), compare_names);
	for (size_t i = 0; i < line->place_count; i++)
		if (count == 0 || strcmp(line->functions[i], line->functions[count - 1]) != 0)
			line->functions[count++] = line->functions[i];
	line->function_count = count;
	line->functions[count] = NULL;
}

static bool add_places(struct cli_trace_line *line)
{
	size_t count = ic_lines_count(line->lines);

	line->places = calloc(count + 1, sizeof(*line->places));
	line->functions = calloc(count + 1, sizeof(*line->functions));
	bool ok = line->places && line->functions;
	for (size_t i = 0; ok && i < count; i++)
		ok = add_place(line, i);
	if (ok)
		list_functions(line);
	return ok;
}

void cli_trace_line_forget(struct cli_trace_line *line)
{
	const struct cli_source_line kept = line->line;

	free(line->places);
	free(line->functions);
	free(line->points);
	ic_lines_free(line->lines);
	ic_symbolizer_free(line->symbolizer);
	*line = (struct cli_trace_line){ .line = kept };
}

bool cli_trace_line_look(struct cli_trace_line *line, struct ic_image *image)
{
	struct ic_error err;

	cli_trace_line_forget(line);
	line->symbolizer = ic_symbolizer_new(image, NULL, &err);
	line->lines = line->symbolizer ? ic_lines_find(line->symbolizer, line->line.source,
						       line->line.line, &err)
				       : NULL;
	bool ok = line->lines && add_places(line);
	if (!ok)
		cli_complain("%s", line->lines ? "out of memory" : err.message);
	else if (line->place_count + line->stray_count == 0)
		cli_source_line_explain(&line->line, line->lines);
	bool faulty = line->symbolizer &&
		      cli_files_print_problems(line->symbolizer, ic_image_path(image));
	return ok && !faulty;
}

// ---- Points

struct site_range {   // a range of a site
	size_t depth; // as that of a place
	struct ic_range range;
	size_t site;
};

static int compare_ranges(const void *left, const void *right)
{
	const struct site_range *a = left, *b = right;

	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->range.start != b->range.start)
		return a->range.start < b->range.start ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

// The ranges of all sites, sorted; NULL if memory runs out.
static struct site_range *list_ranges(const struct ic_sites *sites, size_t *count)
{
	struct site_range *list;
	struct ic_site site;
	size_t most = 0;

	for (size_t i = 0; ic_sites_get(sites, i, &site); i++)
		most += site.range_count;
	list = calloc(most + 1, sizeof(*list));
	*count = 0;
	for (size_t i = 0; list && ic_sites_get(sites, i, &site); i++)
		for (size_t j = 0; j < site.range_count; j++)
			list[(*count)++] = (struct site_range){
				.depth = site.kind == IC_SITE_INLINED ? site.depth + 1 : 0,
				.range = site.ranges[j],
				.site = i,
			};
	if (list)
		qsort(list, *count, sizeof(*list), compare_ranges);
	return list;
}

// The site of a place: that of its function, and not of one that is inlined there. Those at one
// depth do not overlap. SIZE_MAX if there is none.
static size_t find_site(const struct ic_sites *sites, const struct site_range *list, size_t count,
			const struct cli_line_place *place)
{
	const struct site_range wanted = { .depth = place->depth,
					   .range.start = place->addr,
					   .site = SIZE_MAX };
	size_t low = 0, high = count;
	struct ic_site site;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_ranges(&list[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct site_range *found = low > 0 ? &list[low - 1] : NULL;
	if (!found || found->depth != place->depth || place->addr >= found->range.end ||
	    !ic_sites_get(sites, found->site, &site) ||
	    strcmp(name_of(site.linkage_name, site.function), place->function) != 0)
		return SIZE_MAX;
	return found->site;
}

static int compare_sites(const void *left, const void *right)
{
	const struct ic_trace_point *a = left, *b = right;

	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

bool cli_trace_line_join(struct cli_trace_line *line, const struct ic_sites *sites)
{
	size_t count;
	struct site_range *list = list_ranges(sites, &count);

	line->points = calloc(line->place_count + 1, sizeof(*line->points));
	if (!list || !line->points) {
		free(list);
		cli_complain("out of memory");
		return false;
	}
	for (size_t i = 0; i < line->place_count; i++) {
		const struct cli_line_place *place = &line->places[i];
		size_t site = find_site(sites, list, count, place);
		if (site != SIZE_MAX)
			line->points[line->point_count++] =
				(struct ic_trace_point){ .site = site,
							 .addr = place->addr,
							 .file = place->file,
							 .line = place->line,
							 .column = place->column };
	}
	qsort(line->points, line->point_count, sizeof(*line->points), compare_sites);
	free(list);
	return true;
}

// The number of copies in which the line begins at several places.
static size_t count_repeated(const struct cli_trace_line *line)
{
	const struct ic_trace_point *points = line->points;
	size_t count = 0;

	for (size_t i = 1; i < line->point_count; i++)
		count += points[i].site == points[i - 1].site &&
			 (i == 1 || points[i].site != points[i - 2].site);
	return count;
}

bool cli_trace_line_complain(const struct cli_trace_line *line, const char *path)
{
	size_t count = line->place_count + line->stray_count, repeated = count_repeated(line);

	if (repeated > 0)
		cli_complain("%s: in %zu %s the line begins at several places: it may be seen "
			     "several times each time that it is executed",
			     path, repeated, repeated == 1 ? "copy" : "copies");
	if (line->point_count == count)
		return false;
	cli_complain("%s: %zu of %zu places of the line not traced: no function is described there",
		     path, count - line->point_count, count);
	return true;
}

void cli_trace_line_free(struct cli_trace_line *line)
{
	cli_source_line_free(&line->line);
	cli_trace_line_forget(line);
}
