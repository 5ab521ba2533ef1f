// Makes probes for the sites of a selection. Each tracer's syntax is in the file named after it.
#include <inlinecall/extra/probe.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "probe/place.h"
#include "probe/probes.h"
#include "probe/tracer.h"
#include "query/find/sites.h"
#include "text/text.h"

enum {
	LONGEST_NAME = 40,
	SHORTER_NAME = 26,                // for probes with exits
	LONGEST_EVENT = LONGEST_NAME + 22 // at most 63, including the numbers
};

struct ic_probes {
	const struct ic_sites *sites; // NULL for probes of lines
	const struct ic_index *index;
	enum ic_tracer tracer;
	struct ic_arena arena;
	IC_ARRAY(struct ic_probe) items;
};

struct maker {
	struct ic_probes *probes;
	struct ic_image *image;
	struct ic_parameters *parameters;
	const struct ic_lines *lines; // NULL for sites
	struct ic_symbolizer *symbolizer;
	const struct ic_tracer_row *tracer;
	const struct ic_probe_options *options;
	struct ic_probe_target target;
	struct ic_probe_places *places;
	const char *group;
	uint64_t copies;                // number of copies with probes
	struct ic_site_entries entries; // of the current copy
	struct ic_error *err;
};

static const char *keep_text(struct maker *maker, const struct ic_probe_text *text)
{
	return ic_arena_copy(&maker->probes->arena, text->bytes.items, text->bytes.count + 1ull, 1);
}

static const char *keep_name(struct maker *maker, const char *name)
{
	return ic_arena_copy(&maker->probes->arena, name, strlen(name) + 1, 1);
}

static const char *name_event(struct maker *maker, const char *function, const char *suffix)
{
	char plain[LONGEST_NAME], event[LONGEST_EVENT + 1];

	ic_probe_identifier(function ? function : "unnamed", plain,
			    maker->options->exits ? SHORTER_NAME : LONGEST_NAME);
	snprintf(event, sizeof(event), "%s_%llu%s", plain,
		 (unsigned long long)(maker->options->first + maker->copies), suffix);
	return keep_name(maker, event);
}

// Finds the arguments at the copy's entry, or at a line. Returns false if memory runs out.
static bool find_parameters(struct maker *maker, const struct ic_site *site,
			    struct ic_spelling *spelling)
{
	const struct ic_probe *probe = spelling->probe;
	uint64_t addr = probe->addr;
	bool ok = true;

	if (!maker->parameters)
		return true;
	if (probe->kind == IC_PROBE_ENTRY)
		ok = ic_parameters_find(maker->parameters, site,
					addr == site->entry ? IC_NO_ADDR : addr, maker->err);
	else if (probe->kind == IC_PROBE_LINE && probe->frame != IC_NO_ADDR)
		ok = ic_parameters_find_frame(maker->parameters, addr, (size_t)probe->frame,
					      maker->err);
	else
		return true;
	spelling->param_count = ok ? ic_parameters_list(maker->parameters, &spelling->params) : 0;
	return ok;
}

static bool spell_probe(struct maker *maker, const struct ic_site *site, struct ic_probe *probe)
{
	struct ic_spelling spelling = { .target = &maker->target, .probe = probe };
	bool ok = find_parameters(maker, site, &spelling);

	if (!ok)
		return false;
	probe->why_not = ic_probe_place_fault(maker->places, probe->addr);
	if (!probe->why_not)
		probe->why_not = maker->tracer->spell(&spelling);
	if (spelling.text.out_of_memory || spelling.left_out.out_of_memory) {
		ok = ic_fail_memory(maker->err);
	} else if (!probe->why_not) {
		probe->definition = keep_text(maker, &spelling.text);
		if (spelling.left_out.bytes.count > 0)
			probe->left_out = keep_text(maker, &spelling.left_out);
		ok = (probe->definition && (probe->left_out || !spelling.left_out.bytes.count)) ||
		     ic_fail_memory(maker->err);
	}
	IC_ARRAY_FREE(&spelling.text.bytes);
	IC_ARRAY_FREE(&spelling.left_out.bytes);
	return ok;
}

static const char *host_of(const struct ic_site *site)
{
	return site->host_linkage_name ? site->host_linkage_name : site->host;
}

// `host` is the name of the function that has the code, or NULL.
static void find_symbol(const struct maker *maker, const char *host, struct ic_probe *probe)
{
	struct ic_symbol symbol;

	probe->symbol_off = IC_NO_ADDR;
	if (!ic_index_symbol_of(maker->probes->index,
				(struct ic_range){ probe->addr, probe->addr + 1 }, host, &symbol))
		return;
	probe->symbol = symbol.name;
	probe->symbol_off = probe->addr - symbol.start;
}

static bool find_place(struct maker *maker, const char *host, struct ic_probe *probe)
{
	find_symbol(maker, host, probe);
	if (probe->symbol &&
	    !ic_probe_places_is_ambiguous(maker->places, probe->symbol,
					  probe->addr - probe->symbol_off, &probe->is_ambiguous))
		return ic_fail_memory(maker->err);
	if (!ic_image_is_relocatable(maker->image))
		ic_image_offset_of_addr(maker->image, probe->addr, &probe->file_off);
	return true;
}

// Adds a probe of a copy, with an event name that ends in `suffix`; returns NULL if memory runs
// out.
static struct ic_probe *push_probe(struct maker *maker, size_t number, const char *function,
				   enum ic_probe_kind kind, const char *suffix)
{
	const char *event = name_event(maker, function, suffix);
	struct ic_probe *probe = event ? IC_ARRAY_PUSH(&maker->probes->items) : NULL;

	if (!probe)
		ic_fail_memory(maker->err);
	else
		*probe = (struct ic_probe){ .site = number,
					    .addr = IC_NO_ADDR,
					    .file_off = IC_NO_ADDR,
					    .symbol_off = IC_NO_ADDR,
					    .frame = IC_NO_ADDR,
					    .group = maker->group,
					    .event = event,
					    .kind = kind };
	return probe;
}

static bool add_return(struct maker *maker, size_t number, const struct ic_site *site)
{
	struct ic_probe *probe =
		push_probe(maker, number, site->function, IC_PROBE_RETURN, "_exit");

	if (!probe)
		return false;
	probe->addr = site->entry;
	return find_place(maker, host_of(site), probe) && spell_probe(maker, site, probe);
}

// Describes the first doubt of each kind about the copy's entries. NULL if there are none, or
// memory runs out.
static const char *find_doubt(struct maker *maker)
{
	const struct ic_site_entries *entries = &maker->entries;
	struct ic_probe_text text = { .out_of_memory = false };
	unsigned kinds = 0;

	for (size_t i = 0; i < entries->doubt_count; i++) {
		const struct ic_entry_doubt *doubt = &entries->doubts[i];
		if (kinds >> doubt->kind & 1)
			continue;
		ic_probe_text_add(&text, "%sit is %s, at 0x%" PRIx64 ": %s", kinds ? "; " : "",
				  ic_entry_doubt_text(doubt->kind), doubt->target,
				  ic_entry_doubt_effect(doubt->kind));
		kinds |= 1u << doubt->kind;
	}
	const char *kept = kinds && !text.out_of_memory ? keep_text(maker, &text) : NULL;
	IC_ARRAY_FREE(&text.bytes);
	return kept;
}

static bool add_entry(struct maker *maker, size_t number, const struct ic_site *site, size_t which)
{
	char suffix[32] = "";

	if (which > 0)
		snprintf(suffix, sizeof(suffix), "_entry_%zu", which + 1);
	struct ic_probe *probe = push_probe(maker, number, site->function, IC_PROBE_ENTRY, suffix);
	if (!probe)
		return false;
	probe->addr = maker->entries.addrs[which];
	probe->doubt = which == 0 ? find_doubt(maker) : NULL;
	if (which == 0 && maker->entries.doubt_count > 0 && !probe->doubt)
		return ic_fail_memory(maker->err);
	return find_place(maker, host_of(site), probe) && spell_probe(maker, site, probe);
}

// ---- Exits

// Whether the tracer has a probe for the copy's return. In a kernel, the symbol must be at the
// entry.
static bool has_return(const struct maker *maker, const struct ic_site *site)
{
	struct ic_probe probe = { .addr = site->entry };

	if (site->kind != IC_SITE_OUT_OF_LINE || !maker->tracer->has_returns ||
	    ic_probe_places_is_go(maker->places))
		return false;
	find_symbol(maker, host_of(site), &probe);
	return !maker->target.is_kernel || !probe.symbol || probe.symbol_off == 0;
}

static bool add_exit(struct maker *maker, size_t number, const struct ic_site *site,
		     const struct ic_exit *leave, size_t which, size_t count)
{
	char suffix[LONGEST_EVENT - SHORTER_NAME - 2], several[24] = "";

	if (count > 1)
		snprintf(several, sizeof(several), "_%zu", which + 1);
	snprintf(suffix, sizeof(suffix), "_exit%s%s", several,
		 leave->kind == IC_EXIT_PERHAPS ? "_perhaps" : "");
	struct ic_probe *probe = push_probe(maker, number, site->function, IC_PROBE_EXIT, suffix);
	const char *doubt = ic_exits_doubt(maker->options->exits);
	if (!probe)
		return false;
	probe->addr = leave->addr;
	probe->exit_kind = leave->kind;
	probe->doubt = doubt ? keep_name(maker, doubt) : NULL;
	if (doubt && !probe->doubt)
		return ic_fail_memory(maker->err);
	return find_place(maker, host_of(site), probe) && spell_probe(maker, site, probe);
}

// Adds a probe that says why there are no probes of exits.
static bool add_no_exit(struct maker *maker, size_t number, const struct ic_site *site,
			const char *why)
{
	struct ic_probe *probe = push_probe(maker, number, site->function, IC_PROBE_EXIT, "_exit");

	if (!probe)
		return false;
	probe->why_not = keep_name(maker, why);
	return probe->why_not || ic_fail_memory(maker->err);
}

static bool add_exits(struct maker *maker, size_t number, const struct ic_site *site)
{
	struct ic_exits *exits = maker->options->exits;
	const struct ic_exit *list;

	if (has_return(maker, site))
		return add_return(maker, number, site);
	if (ic_exits_why_not(exits))
		return add_no_exit(maker, number, site, ic_exits_why_not(exits));
	size_t count = ic_exits_get(exits, &list);
	if (count == 0)
		return add_no_exit(maker, number, site, "control never leaves it");
	for (size_t i = 0; i < count; i++)
		if (!add_exit(maker, number, site, &list[i], i, count))
			return false;
	return true;
}

static bool add_elsewhere(struct maker *maker, size_t number, const struct ic_site *site)
{
	struct ic_probe *probe = push_probe(maker, number, site->function, IC_PROBE_ELSEWHERE, "");

	if (probe)
		probe->why_not = "its calls are attributed to another copy";
	return probe != NULL;
}

static bool add_site(struct maker *maker, size_t number, const struct ic_site *site)
{
	struct ic_exits *exits = maker->options->exits;

	maker->entries = maker->options->entries
				 ? ic_entries_of(maker->options->entries, number)
				 : (struct ic_site_entries){ .addrs = &site->entry, .count = 1 };
	maker->copies++;
	if (maker->entries.count == 0)
		return add_elsewhere(maker, number, site);
	if (exits && !ic_exits_find(exits, site, &maker->entries, maker->err))
		return false;
	for (size_t i = 0; i < maker->entries.count; i++)
		if (!add_entry(maker, number, site, i))
			return false;
	return !exits || add_exits(maker, number, site);
}

// ---- Lines

static bool add_line(struct maker *maker, size_t number)
{
	struct ic_line_place place;
	size_t count = ic_lines_get(maker->lines, number, &place, NULL, 0);
	uint64_t addr = place.range.start;
	const struct ic_probe *last =
		maker->probes->items.count > 0
			? &maker->probes->items.items[maker->probes->items.count - 1]
			: NULL;

	// If line tables overlap, several rows may have the same address.
	if (!place.is_stmt || place.continues || (last && last->addr == addr))
		return true;
	maker->copies++;
	struct ic_frame *frames = ic_arena_items(&maker->probes->arena, count, sizeof(*frames));
	if (!frames)
		return ic_fail_memory(maker->err);
	ic_lines_get(maker->lines, number, &place, frames, count);
	struct ic_probe *probe = push_probe(maker, number, frames[0].function, IC_PROBE_LINE, "");
	if (!probe)
		return false;
	const struct ic_frame *host = &frames[count - 1];
	size_t there = ic_symbolizer_frames_at(maker->symbolizer, addr, NULL, 0);
	probe->addr = addr;
	probe->frames = frames;
	probe->frame_count = count;
	if (frames[0].function && there >= count)
		probe->frame = there - count; // an empty range has fewer frames
	return find_place(maker, host->linkage_name ? host->linkage_name : host->function, probe) &&
	       spell_probe(maker, NULL, probe);
}

static bool add_lines(struct maker *maker)
{
	size_t count = ic_lines_count(maker->lines);

	ic_index_expect_symbols(maker->probes->index, count);
	for (size_t i = 0; i < count; i++)
		if (!add_line(maker, i))
			return false;
	return true;
}

static bool add_all(struct maker *maker)
{
	struct ic_site site;

	if (maker->lines)
		return add_lines(maker);
	ic_index_expect_symbols(maker->probes->index, ic_sites_count(maker->probes->sites));
	for (size_t i = 0; ic_sites_get(maker->probes->sites, i, &site); i++)
		if (site.kind != IC_SITE_CALL && site.entry != IC_NO_ADDR &&
		    (site.range_count > 0 || site.has_only_entry) && !add_site(maker, i, &site))
			return false;
	return true;
}

static bool name_group(struct maker *maker)
{
	char plain[LONGEST_NAME], group[LONGEST_EVENT];

	if (maker->options->group) {
		ic_probe_identifier(maker->options->group, plain, sizeof(plain));
		snprintf(group, sizeof(group), "%s", plain);
	} else {
		ic_probe_identifier(ic_text_base_name(maker->target.path), plain, sizeof(plain));
		snprintf(group, sizeof(group), "inlinecall_%s",
			 plain[0] == '_' && plain[1] ? plain + 1 : plain);
	}
	maker->group = keep_name(maker, group);
	return maker->group || ic_fail_memory(maker->err);
}

static bool make_probes(struct maker *maker)
{
	bool ok;

	maker->target = (struct ic_probe_target){
		.path = maker->options->path ? maker->options->path : ic_image_path(maker->image),
		.machine = ic_image_machine(maker->image),
		.addr_size = ic_image_addr_size(maker->image),
	};
	maker->places = ic_probe_places_new(maker->image, maker->probes->index);
	if (!maker->places)
		return ic_fail_memory(maker->err);
	maker->target.module = ic_probe_places_module(maker->places);
	maker->target.is_kernel = ic_probe_places_is_kernel(maker->places);
	ok = name_group(maker) && add_all(maker);
	ic_probe_places_free(maker->places);
	return ok;
}

// Makes the probes. `maker` has the other inputs.
static struct ic_probes *find_probes(struct maker *maker, const struct ic_sites *sites,
				     const struct ic_index *index, struct ic_error *err)
{
	static const struct ic_probe_options defaults = { .tracer = IC_TRACER_TRACEFS };
	struct ic_error unwanted;

	maker->err = err ? err : &unwanted;
	if (!maker->options)
		maker->options = &defaults;
	maker->tracer = ic_tracer_row(maker->options->tracer);
	if (!maker->tracer) {
		ic_fail(maker->err, IC_ERROR_ARGUMENT, "invalid tracer number %d",
			(int)maker->options->tracer);
		return NULL;
	}
	maker->probes = calloc(1, sizeof(*maker->probes));
	if (!maker->probes) {
		ic_fail_memory(maker->err);
		return NULL;
	}
	maker->probes->sites = sites;
	maker->probes->index = index;
	maker->probes->tracer = maker->options->tracer;
	if (make_probes(maker))
		return maker->probes;
	ic_probes_free(maker->probes);
	return NULL;
}

struct ic_probes *ic_probes_find(struct ic_image *image, const struct ic_sites *sites,
				 struct ic_parameters *parameters,
				 const struct ic_probe_options *options, struct ic_error *err)
{
	struct maker maker = { .image = image, .parameters = parameters, .options = options };

	return find_probes(&maker, sites, sites->index, err);
}

struct ic_probes *ic_probes_find_lines(struct ic_image *image, const struct ic_probe_lines *lines,
				       struct ic_parameters *parameters,
				       const struct ic_probe_options *options, struct ic_error *err)
{
	struct maker maker = { .image = image,
			       .parameters = parameters,
			       .lines = lines->lines,
			       .symbolizer = lines->symbolizer,
			       .options = options };

	return find_probes(&maker, NULL, lines->index, err);
}

void ic_probes_free(struct ic_probes *probes)
{
	if (!probes)
		return;
	IC_ARRAY_FREE(&probes->items);
	ic_arena_free(&probes->arena);
	free(probes);
}

size_t ic_probes_count(const struct ic_probes *probes)
{
	return probes->items.count;
}

bool ic_probes_get(const struct ic_probes *probes, size_t number, struct ic_probe *probe)
{
	if (number >= probes->items.count)
		return false;
	*probe = probes->items.items[number];
	return true;
}

enum ic_tracer ic_probes_tracer(const struct ic_probes *probes)
{
	return probes->tracer;
}

const struct ic_sites *ic_probes_sites(const struct ic_probes *probes)
{
	return probes->sites;
}

const struct ic_index *ic_probes_index(const struct ic_probes *probes)
{
	return probes->index;
}
