#include "runs/trace_line.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const char *linkage_name, const char *function)
{
	return linkage_name ? linkage_name : function;
}

// ---- Places

static bool has_function(const struct cli_trace_line *line, const char *name)
{
	for (size_t i = line->function_count; i > 0; i--)
		if (strcmp(line->functions[i - 1], name) == 0)
			return true;
	return false;
}

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
	if (first < count && !has_function(line, made->function))
		line->functions[line->function_count++] = made->function;
	return true;
}

static bool add_places(struct cli_trace_line *line)
{
	size_t count = ic_lines_count(line->lines);

	line->places = calloc(count + 1, sizeof(*line->places));
	line->functions = calloc(count + 1, sizeof(*line->functions));
	bool ok = line->places && line->functions;
	for (size_t i = 0; ok && i < count; i++)
		ok = add_place(line, i);
	return ok;
}

static void forget_file(struct cli_trace_line *line)
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

	forget_file(line);
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

static bool has_address(const struct ic_site *site, uint64_t addr)
{
	for (size_t i = 0; i < site->range_count; i++)
		if (addr >= site->ranges[i].start && addr < site->ranges[i].end)
			return true;
	return false;
}

// Whether a place is in the code of a site, and not in that of a function inlined there.
static bool is_at_site(const struct cli_line_place *place, const struct ic_site *site)
{
	size_t depth = site->kind == IC_SITE_INLINED ? site->depth + 1 : 0;

	return depth == place->depth && has_address(site, place->addr) &&
	       strcmp(name_of(site->linkage_name, site->function), place->function) == 0;
}

bool cli_trace_line_join(struct cli_trace_line *line, const struct ic_sites *sites)
{
	size_t count = ic_sites_count(sites), number;
	struct ic_site *list = calloc(count + 1, sizeof(*list));

	line->points = calloc(line->place_count + 1, sizeof(*line->points));
	if (!list || !line->points) {
		free(list);
		cli_complain("out of memory");
		return false;
	}
	for (size_t i = 0; i < count; i++)
		ic_sites_get(sites, i, &list[i]);
	for (size_t i = 0; i < line->place_count; i++) {
		const struct cli_line_place *place = &line->places[i];
		for (number = 0; number < count; number++)
			if (is_at_site(place, &list[number]))
				break;
		if (number < count)
			line->points[line->point_count++] =
				(struct ic_trace_point){ .site = number,
							 .addr = place->addr,
							 .file = place->file,
							 .line = place->line,
							 .column = place->column };
	}
	free(list);
	return true;
}

bool cli_trace_line_complain(const struct cli_trace_line *line, const char *path)
{
	size_t count = line->place_count + line->stray_count;

	if (line->point_count == count)
		return false;
	cli_complain("%s: %zu of %zu places of the line not traced: no function is described there",
		     path, count - line->point_count, count);
	return true;
}

void cli_trace_line_free(struct cli_trace_line *line)
{
	cli_source_line_free(&line->line);
	forget_file(line);
}
