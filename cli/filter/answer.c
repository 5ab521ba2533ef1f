#include "filter/answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "filter/addr.h"
#include "filter/match.h"
#include "filter/open.h"
#include "filter/return.h"

enum {
	MOST_LISTED = 4,
	FIRST_FRAMES = 16,
	SMALLEST_PAGE = 4096,
	MOST_NAME_SIZE = 4096, // bytes of a symbol's name
	MOST_SYMBOLS = 16,     // with one name, at different addresses
	MOST_TRIED = 64,       // with one name; several may have the same address
};

// Frames.

static size_t find_frames(struct cli_filter_files *files, struct ic_symbolizer *symbolizer,
			  uint64_t addr, struct ic_frame **frames, size_t *capacity)
{
	size_t count = ic_symbolizer_frames_at(symbolizer, addr, *frames, *capacity);

	if (count <= *capacity)
		return count;
	size_t grown = count > FIRST_FRAMES ? count : FIRST_FRAMES;
	struct ic_frame *larger = realloc(*frames, grown * sizeof(*larger));
	if (!larger) {
		cli_complain("out of memory");
		files->left_out = true;
		return *capacity; // only the innermost ones
	}
	*frames = larger;
	*capacity = grown;
	count = ic_symbolizer_frames_at(symbolizer, addr, *frames, *capacity);
	return count < *capacity ? count : *capacity;
}

static bool is_same_text(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

static bool are_same(const struct ic_frame *frames, const struct ic_frame *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_same_text(frames[i].function, others[i].function) ||
		    !is_same_text(frames[i].file, others[i].file) ||
		    frames[i].line != others[i].line || frames[i].column != others[i].column)
			return false;
	return true;
}

// Symbols.

struct fit { // a symbol that the mention may mean
	struct cli_filter_file *file;
	struct ic_symbolizer_symbol symbol;
	bool is_close; // it, or the padding after it, ends where the mention says
};

struct fits {
	size_t count, close;
	struct fit other; // one with that name that does not fit
	size_t other_count;
	const struct cli_filter_file *other_build; // a file from another build than the text
	struct fit items[MOST_SYMBOLS];            // the first `count` are used
};

static bool is_same_section(const struct cli_filter_file *file, uint64_t one, uint64_t other)
{
	struct ic_index_section section, other_section;

	if (!file->is_relocatable)
		return true;
	return ic_symbolizer_section_at(file->symbolizer, one, &section) &&
	       ic_symbolizer_section_at(file->symbolizer, other, &other_section) &&
	       section.start == other_section.start;
}

// The size that a kernel prints reaches to the next symbol in its list, which may be a label inside
// the function. So it may include padding, but not another function.
static bool has_room(const struct cli_filter_file *file, const struct ic_symbolizer_symbol *symbol,
		     uint64_t size, bool *is_close)
{
	struct ic_symbolizer_symbol at;
	uint64_t last = symbol->start + (size - 1);

	if (size == 0 || last < symbol->start || symbol->end - symbol->start > size)
		return false;
	if (last >= symbol->end && is_same_section(file, symbol->start, last) &&
	    ic_symbolizer_symbol_at(file->symbolizer, last, &at) && at.start > symbol->start)
		return false;
	*is_close =
		symbol->end - symbol->start == size ||
		(ic_symbolizer_symbol_at(file->symbolizer, last + 1, &at) && at.start == last + 1);
	return true;
}

static bool fits_mention(struct fit *fit, const struct ic_mention *mention)
{
	const struct ic_symbolizer_symbol *symbol = &fit->symbol;
	uint64_t size = mention->has_size ? mention->size : symbol->end - symbol->start;
	uint64_t bias = mention->addr - mention->off - symbol->start;

	// Files are loaded at whole pages: any other distance means another build.
	if (mention->label.text && mention->has_addr && !fit->file->is_relocatable &&
	    bias % SMALLEST_PAGE != 0)
		return false;
	if (mention->has_size && !has_room(fit->file, symbol, size, &fit->is_close))
		return false;
	return mention->off < size ||
	       (mention->is_return && ic_image_code_addr(fit->file->image, mention->off) == size);
}

static bool is_same_symbol(const struct fit *one, const struct fit *other)
{
	return one->file == other->file && one->symbol.start == other->symbol.start;
}

// Adds a symbol to those that fit, or to those that do not.
static void judge_symbol(struct fits *all, struct fit fit, const struct ic_mention *mention)
{
	for (size_t i = 0; i < all->count; i++)
		if (is_same_symbol(&all->items[i], &fit)) // already found in another table
			return;
	if (fits_mention(&fit, mention)) {
		all->items[all->count++] = fit;
		all->close += fit.is_close;
	} else if (all->other_count == 0 || !is_same_symbol(&all->other, &fit)) {
		all->other = fit;
		all->other_count++;
	}
}

static void collect_symbols(const struct cli_filter_files *files, const struct ic_mention *mention,
			    struct fits *all)
{
	struct ic_span said = mention->name;
	char name[MOST_NAME_SIZE];

	if (said.size >= sizeof(name) || memchr(said.text, 0, said.size))
		return;
	memcpy(name, said.text, said.size);
	name[said.size] = 0;
	for (size_t i = 0; i < files->count; i++) {
		struct fit fit = { .file = files->files[i] };
		if (!cli_filter_may_have_symbol(files, fit.file, mention))
			continue;
		if (cli_filter_is_other_build(files, fit.file, mention)) {
			all->other_build = fit.file;
			continue;
		}
		for (uint32_t j = 0;
		     j < MOST_TRIED && all->count < MOST_SYMBOLS &&
		     ic_symbolizer_symbol_find(fit.file->symbolizer, name, j, &fit.symbol);
		     j++)
			judge_symbol(all, fit, mention);
	}
}

static void keep_close(struct fits *all)
{
	size_t kept = 0;

	if (all->close == 0)
		return;
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].is_close)
			all->items[kept++] = all->items[i];
	all->count = kept;
}

// The address to look up. An address before the first symbol of a section is in no section: in
// relocatable files, there are gaps between sections.
static uint64_t addr_of(const struct fit *fit, const struct ic_mention *mention)
{
	return cli_filter_lookup_addr(fit->file, fit->symbol.start + mention->off,
				      mention->is_return);
}

// A return address at the start of a symbol follows a call that does not return, at the end of the
// previous function; or there was no call, as before some routines in assembly.
static bool is_before_symbol(const struct ic_mention *mention)
{
	return mention->is_return && mention->off == 0;
}

// Whether the frames add nothing to the symbol mentioned.
static bool tells_nothing(const struct cli_answer *answer, const struct ic_mention *mention)
{
	if (answer->frame_count == 0)
		return true;
	const struct ic_frame *host = &answer->frames[answer->frame_count - 1];
	if (is_before_symbol(mention))
		return host->is_symbol || !host->function;
	return host->is_symbol && !host->file;
}

// Whether all symbols that fit have the same frames, which are then the answer.
static bool find_common_frames(struct cli_filter_files *files, const struct fits *all,
			       const struct ic_mention *mention, struct cli_answer *answer)
{
	if (all->count == 0)
		return false;
	const struct fit *first = &all->items[0];
	answer->place =
		(struct cli_filter_place){ first->file, first->symbol.start + mention->off };
	answer->addr = addr_of(first, mention);
	answer->frame_count = find_frames(files, first->file->symbolizer, answer->addr,
					  &files->last.frames, &files->last.frame_capacity);
	answer->frames = files->last.frames;
	if (answer->frame_count > 0 && !is_before_symbol(mention)) {
		struct ic_frame *host = &files->last.frames[answer->frame_count - 1];
		if (!host->function) // padding, or assembly
			host->function = all->items[0].symbol.name;
	}
	for (size_t i = 1; i < all->count; i++) {
		const struct fit *fit = &all->items[i];
		size_t count = find_frames(files, fit->file->symbolizer, addr_of(fit, mention),
					   &files->last.others, &files->last.other_capacity);
		if (count != answer->frame_count ||
		    !are_same(files->last.frames, files->last.others, count))
			return false;
	}
	return true;
}

__attribute__((format(printf, 2, 3))) static void add_note(struct cli_answer *answer,
							   const char *format, ...)
{
	size_t size = strlen(answer->note);
	va_list args;

	va_start(args, format);
	vsnprintf(answer->note + size, sizeof(answer->note) - size, format, args);
	va_end(args);
}

// Writes "3 functions are called init, of 0x40 bytes: a.c:10, b.c:20, ..."
static void note_several(struct cli_filter_files *files, const struct fits *all,
			 const struct ic_mention *mention, struct cli_answer *answer)
{
	struct ic_frame last = { .file = NULL };
	size_t listed = 0;

	add_note(answer, "%zu functions named %.*s", all->count,
		 mention->name.size > 200 ? 200 : (int)mention->name.size, mention->name.text);
	if (mention->has_size)
		add_note(answer, ", of 0x%" PRIx64 " bytes", mention->size);
	for (size_t i = 0; i < all->count && listed < MOST_LISTED; i++) {
		const struct fit *fit = &all->items[i];
		size_t depth = find_frames(files, fit->file->symbolizer, fit->symbol.start,
					   &files->last.others, &files->last.other_capacity);
		const struct ic_frame *host = depth > 0 ? &files->last.others[depth - 1] : &last;
		if (!host->decl_file || (host->decl_line == last.decl_line &&
					 is_same_text(host->decl_file, last.decl_file)))
			continue;
		last = *host;
		const char *file = host->decl_file;
		add_note(answer, "%s%.150s:%" PRIu32, listed++ == 0 ? ": " : ", ",
			 files->base_names ? cli_base_name(file) : file, host->decl_line);
	}
}

static void note_other_build(const struct cli_filter_file *file, struct cli_answer *answer)
{
	add_note(answer, "from another build than %.100s, whose build ID is %s", file->base_name,
		 file->build_id);
}

// If the text gives a place both as an address and as a symbol, that shows where the kernel is
// loaded.
static void learn_offset(const struct fit *fit, const struct ic_mention *mention)
{
	struct cli_filter_file *file = fit->file;
	uint64_t loaded = mention->addr - mention->off, start = fit->symbol.start;

	if (!mention->has_addr || !file->is_kernel || (loaded - start) % SMALLEST_PAGE != 0 ||
	    (cli_filter_file_is_placed(file) && !file->is_learned))
		return;
	cli_filter_file_place(file, loaded - (start - file->kernel_start));
}

static bool answer_symbol(struct cli_filter_files *files, const struct ic_mention *mention,
			  struct cli_answer *answer)
{
	struct fits all;

	memset(&all, 0, offsetof(struct fits, items));

	collect_symbols(files, mention, &all);
	keep_close(&all);
	if (all.count == 1)
		learn_offset(&all.items[0], mention);
	if (find_common_frames(files, &all, mention, answer))
		return true;
	answer->frame_count = 0;
	uint64_t size = all.other.symbol.end - all.other.symbol.start;
	if (all.count > 1)
		note_several(files, &all, mention, answer);
	else if (all.count == 0 && all.other_build)
		note_other_build(all.other_build, answer);
	else if (all.count == 0 && all.other_count == 1 && mention->has_size && size > 0)
		add_note(answer,
			 "differs from the one in %.100s, which is 0x%" PRIx64 " bytes long",
			 all.other.file->base_name, size);
	else if (all.count == 0 && all.other_count > 1 && mention->has_size)
		add_note(answer, "differs in size from all %zu in %.100s", all.other_count,
			 all.other.file->base_name);
	return false;
}

// Addresses.

static bool answer_addr(struct cli_filter_files *files, const struct ic_mention *mention,
			struct cli_answer *answer)
{
	struct cli_filter_file *unplaced = NULL, *contradicting = NULL;
	uint64_t addr;

	for (size_t i = 0; i < files->count; i++) {
		struct cli_filter_file *file = files->files[i];
		if (!cli_filter_may_have_addr(files, file, mention))
			continue;
		if (cli_filter_is_other_build(files, file, mention)) {
			if (cli_filter_knows_id(files, mention))
				continue;
			note_other_build(file, answer);
			return false;
		}
		switch (cli_filter_find_addr(file, mention, &addr)) {
		case CLI_ADDR_UNKNOWN:
			unplaced = cli_filter_file_is_placed(file) ? NULL : file;
			continue;
		case CLI_ADDR_CONTRADICTED: contradicting = file; continue;
		case CLI_ADDR_FOUND: break;
		}
		if (answer->place.file) {
			add_note(answer, "in both %.100s and %.100s", answer->place.file->base_name,
				 file->base_name);
			return false;
		}
		answer->place = (struct cli_filter_place){ file, addr };
	}
	answer->unplaced = mention->is_of_perf ? unplaced : NULL;
	if (!answer->place.file) {
		if (contradicting)
			add_note(answer,
				 "%.*s has another address in %.100s: the text is from another "
				 "build",
				 mention->label.size > 100 ? 100 : (int)mention->label.size,
				 mention->label.text, contradicting->base_name);
		return false;
	}
	answer->addr =
		cli_filter_lookup_addr(answer->place.file, answer->place.addr, mention->is_return);
	answer->frame_count = find_frames(files, answer->place.file->symbolizer, answer->addr,
					  &files->last.frames, &files->last.frame_capacity);
	answer->frames = files->last.frames;
	return true;
}

// Go prints the line of each place. It tells which of two addresses is meant, the return address or
// the one before it, and whether the text is from this build.
static void settle_by_line(struct cli_filter_files *files, const struct ic_mention *mention,
			   struct cli_answer *answer)
{
	uint64_t other = mention->is_return ? answer->addr + 1 : answer->addr - 1;

	if (mention->line == 0 || answer->frame_count == 0 || mention->label.text)
		return;
	uint32_t line = answer->frames[answer->frame_count - 1].line;
	if (line == mention->line || line == 0)
		return;
	size_t count = find_frames(files, answer->place.file->symbolizer, other,
				   &files->last.others, &files->last.other_capacity);
	if (count > 0 && files->last.others[count - 1].line == mention->line) {
		answer->frames = files->last.others;
		answer->frame_count = count;
		answer->addr = other;
		return;
	}
	answer->frame_count = 0;
	add_note(answer, "line %" PRIu32 " in %.100s: the text is from another build", line,
		 answer->place.file->base_name);
}

// The note is large, and usually empty.
static void begin_answer(struct cli_answer *answer)
{
	memset(answer, 0, offsetof(struct cli_answer, note) + 1);
}

static bool find_answer(struct cli_filter_files *files, const struct ic_mention *mention,
			struct cli_answer *answer)
{
	struct cli_answer by_addr;
	bool has_addr = mention->has_addr || mention->origin != IC_MENTION_ORIGIN_NONE;

	begin_answer(&by_addr);
	begin_answer(answer);
	if (mention->name.text && answer_symbol(files, mention, answer)) {
		settle_by_line(files, mention, answer);
		return answer->note[0] || !tells_nothing(answer, mention);
	}
	if (has_addr && !mention->object.text && cli_running_is_given(files->running))
		cli_filter_files_need_loaded(files);
	if (has_addr && (answer_addr(files, mention, &by_addr) || !answer->note[0]))
		memcpy(answer, &by_addr,
		       offsetof(struct cli_answer, note) + strlen(by_addr.note) + 1);
	settle_by_line(files, mention, answer);
	return answer->frame_count > 0 || answer->note[0];
}

// Checks against the code whether the address or the call before it was meant, and if need be
// replaces the answer with that for the other one, about which nothing may be known. Returns false
// if the code confirms neither.
static bool settle_by_code(struct cli_filter_files *files, const struct ic_mention *mention,
			   struct cli_answer *answer, bool *has_answer)
{
	struct ic_mention other = *mention;

	if (answer->place.file &&
	    cli_filter_is_return(files, mention, answer->place) == mention->is_return)
		return true;
	if (!answer->place.file && (answer->note[0] || !mention->is_return))
		return true;
	other.is_return = !mention->is_return;
	*has_answer = find_answer(files, &other, answer);
	return !answer->place.file ||
	       cli_filter_is_return(files, mention, answer->place) == other.is_return;
}

// Whether the only frame repeats the text: its function and its line, or no line if that is
// unknown. A column is more than that.
static bool repeats_text(const struct cli_answer *answer, const struct ic_mention *mention)
{
	struct ic_span said = mention->label.text ? mention->label : mention->name;
	const struct ic_frame *frame = answer->frames;

	if (answer->frame_count != 1 || !frame->function || frame->column > 0 ||
	    !cli_filter_is_called(said, frame->function))
		return false;
	return frame->file ? frame->line > 0 && frame->line == mention->line : frame->is_symbol;
}

bool cli_filter_answer(struct cli_filter_files *files, const struct ic_mention *mention,
		       struct cli_answer *answer)
{
	cli_filter_need_modules(files, mention);
	cli_filter_open_named(files, mention);
	bool has_answer = find_answer(files, mention, answer);
	if (mention->code_decides && !settle_by_code(files, mention, answer, &has_answer))
		has_answer = find_answer(files, mention, answer);
	if (!answer->place.file && answer->unplaced)
		answer->unplaced->unplaced_lines++;
	files->last.place = answer->place;
	if (!has_answer || answer->note[0] || !repeats_text(answer, mention))
		return has_answer;
	answer->agrees = answer->frames->file != NULL;
	return false;
}
