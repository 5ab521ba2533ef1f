// Fuzzes what is made of tables of inlined calls and a file: a table of the file's DWARF, with the
// functions that its types lack; the comparison of tables with the DWARF; and tables in the other
// form and back.
// Wanted: whatever was encoded is counted, and is what the DWARF has; of a table that was converted
// without a loss, and of what came of that, the same is made in the other form.
#include <stdlib.h>
#include <string.h>

#include <inlinecall/extra/btf_dwarf.h>

#include "fuzz_input.h"

struct file {
	struct ic_image *image;
	const struct ic_index *index; // NULL if it has no DWARF
	bool is_whole;                // it has no problems
};

// ---- Comparing

struct differences {
	uint64_t counts[IC_BTF_DIFFERENCE_COUNT_OF];
};

static void take_difference(void *context, enum ic_btf_difference difference, uint64_t addr)
{
	struct differences *differences = context;

	(void)addr;
	PROMISE(ic_btf_difference_text(difference));
	differences->counts[difference]++;
}

// Each record is either one of the DWARF's or too much. Returns how much is wrong.
static uint64_t compare(const struct file *file, const struct ic_btf_inline *table)
{
	struct differences found = { { 0 } };
	struct ic_error err = { .code = IC_ERROR_NONE };
	uint64_t faults = 0;

	if (!ic_btf_compare(table, file->image, file->index, take_difference, &found, &err)) {
		PROMISE_REASON(err);
		return 0;
	}
	PROMISE(found.counts[IC_BTF_DIFFERENCE_NONE] + found.counts[IC_BTF_DIFFERENCE_LOWEST] +
			found.counts[IC_BTF_DIFFERENCE_EXTRA] ==
		ic_btf_inline_count(table));
	for (unsigned i = 0; i < IC_BTF_DIFFERENCE_COUNT_OF; i++)
		if (ic_btf_difference_is_fault((enum ic_btf_difference)i))
			faults += found.counts[i];
	return faults;
}

// ---- Converting

static uint64_t sum(const uint64_t *counts, size_t count)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += counts[i];
	return all;
}

static void check_counts(const struct ic_btf_encoding *encoding)
{
	const struct ic_btf_encode_counts *counts = ic_btf_encoding_counts(encoding);

	PROMISE(sum(counts->fates, IC_BTF_FATE_COUNT_OF) == counts->calls);
	PROMISE(sum(counts->losses, IC_BTF_LOSS_COUNT_OF) == counts->parameters);
	PROMISE(counts->nameless <= counts->fates[IC_BTF_FATE_WRITTEN]);
	PROMISE(counts->ambiguous <= counts->fates[IC_BTF_FATE_WRITTEN]);
}

static bool is_lossless(const struct ic_btf_encoding *encoding)
{
	const struct ic_btf_encode_counts *counts = ic_btf_encoding_counts(encoding);

	return counts->fates[IC_BTF_FATE_WRITTEN] == counts->calls &&
	       counts->losses[IC_BTF_LOSS_NONE] + counts->losses[IC_BTF_LOSS_UNAVAILABLE] ==
		       counts->parameters;
}

// The table of an encoding; NULL if there is none.
static struct ic_btf_inline *table_of(const struct ic_btf_encoding *encoding,
				      const struct ic_btf *types)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	const void *bytes;
	size_t size;

	check_counts(encoding);
	bytes = ic_btf_encoding_bytes(encoding, &size);
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes, size, types, &err);
	if (table)
		PROMISE(ic_btf_inline_count(table) ==
			ic_btf_encoding_counts(encoding)->fates[IC_BTF_FATE_WRITTEN]);
	else // many calls that share a list: the reader has a limit
		PROMISE(err.code == IC_ERROR_LIMIT);
	return table;
}

static struct ic_btf_encoding *convert(const struct file *file, const struct ic_btf_inline *table,
				       enum ic_btf_inline_format format)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_btf_encoding *encoding = ic_btf_convert(table, file->image, format, &err);

	if (!encoding)
		PROMISE_REASON(err);
	return encoding;
}

static void check_same(const struct ic_btf_encoding *one, const struct ic_btf_encoding *other)
{
	size_t size, other_size;
	const void *bytes = ic_btf_encoding_bytes(one, &size);
	const void *other_bytes = ic_btf_encoding_bytes(other, &other_size);

	PROMISE(size == other_size && memcmp(bytes, other_bytes, size) == 0);
}

// There, back, and there again.
static void convert_all(const struct file *file, const struct ic_btf_inline *table,
			const struct ic_btf *types)
{
	struct ic_btf_encoding *there = convert(file, table, IC_BTF_INLINE_LOC);
	struct ic_btf_inline *kinds = there ? table_of(there, types) : NULL;
	struct ic_btf_encoding *back = kinds ? convert(file, kinds, IC_BTF_INLINE_RFC) : NULL;
	struct ic_btf_inline *records = back ? table_of(back, types) : NULL;
	struct ic_btf_encoding *again = records ? convert(file, records, IC_BTF_INLINE_LOC) : NULL;

	if (again) {
		check_counts(again);
		if (is_lossless(back) && ic_btf_inline_format(table) == IC_BTF_INLINE_RFC)
			check_same(there, again);
	}
	ic_btf_encoding_free(again);
	ic_btf_inline_free(records);
	ic_btf_encoding_free(back);
	ic_btf_inline_free(kinds);
	ic_btf_encoding_free(there);
}

// ---- Encoding

// What was made of the DWARF is what that has.
static void encode(const struct file *file, const struct ic_btf *types,
		   const struct ic_btf_encode_options *options)
{
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_btf_encoding *encoding =
		ic_btf_encode(file->image, file->index, types, options, &err);

	if (!encoding) {
		PROMISE_REASON(err);
		return;
	}
	size_t size;
	const void *bytes = ic_btf_encoding_types(encoding, &size);
	PROMISE((bytes != NULL) == (options->missing == IC_BTF_MISSING_EXTEND));
	struct ic_btf *more = bytes ? ic_btf_parse(bytes, size, NULL, &err) : NULL;
	PROMISE(more || !bytes);
	struct ic_btf_inline *table = table_of(encoding, more ? more : types);
	struct ic_index_problem problem;
	if (table) {
		uint64_t faults = compare(file, table);
		if (file->is_whole && options->missing != IC_BTF_MISSING_ZERO &&
		    !ic_btf_encoding_problem_get(encoding, 0, &problem))
			PROMISE(faults == 0);
		convert_all(file, table, more ? more : types);
	}
	ic_btf_inline_free(table);
	ic_btf_free(more);
	ic_btf_encoding_free(encoding);
}

// ---- The input

static void check_all(const struct file *file, struct ic_bytes types_bytes, struct ic_bytes bytes,
		      uint8_t choice)
{
	const struct ic_btf_encode_options options = {
		.format = choice & 1 ? IC_BTF_INLINE_LOC : IC_BTF_INLINE_RFC,
		.missing = (enum ic_btf_missing)((choice >> 1) % 3),
	};
	struct ic_btf *types = ic_btf_parse(types_bytes.data, types_bytes.size, NULL, NULL);
	struct ic_btf_inline *table = ic_btf_inline_parse(bytes.data, bytes.size, types, NULL);

	if (table && file->index)
		(void)compare(file, table);
	if (table)
		convert_all(file, table, types);
	if (types && file->index)
		encode(file, types, &options);
	ic_btf_inline_free(table);
	ic_btf_free(types);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nowhere[] = { "/nonexistent" };
	const struct ic_image_options image_options = { .allow_no_debug = true,
							.debug_dirs = nowhere,
							.debug_dir_count = 1 };
	const struct ic_index_options index_options = { .jobs = 1, .parameters = true };
	struct fuzz_input in = { data, data + size };
	uint8_t choice = fuzz_take_u8(&in);
	struct ic_bytes sections[3]; // .BTF, .BTF.inline, the file
	struct ic_error err = { .code = IC_ERROR_NONE };
	struct ic_index_problem problem;

	fuzz_take_sections(&in, sections, 3);
	struct file file = { .image = ic_image_open_memory(sections[2].data, sections[2].size,
							   "fuzz", &image_options, &err) };
	if (file.image) {
		struct ic_index *index = ic_index_build(file.image, &index_options, &err);
		file.index = index;
		file.is_whole = index && !ic_index_problem_get(index, 0, &problem);
		check_all(&file, sections[0], sections[1], choice);
		ic_index_free(index);
	}
	ic_image_free(file.image);
	fuzz_free_sections(sections, 3);
	return 0;
}
