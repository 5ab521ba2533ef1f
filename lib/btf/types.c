#include "btf/types.h"

#include <stdlib.h>

#include "base/array.h"

struct kind_size {
	uint8_t extra, item;
	bool is_known;
};

enum { KIND_COUNT = 128 }; // a kind has 7 bits

struct parser {
	struct ic_btf *btf;
	struct ic_btf_header header;
	struct kind_size sizes[KIND_COUNT];
	IC_ARRAY(uint32_t) offs;
};

bool ic_btf_has_magic(struct ic_bytes bytes, bool *swap)
{
	if (bytes.size < 2)
		return false;
	*swap = ic_load16(bytes.data, false) != IC_BTF_MAGIC;
	return ic_load16(bytes.data, *swap) == IC_BTF_MAGIC;
}

struct ic_btf_header ic_btf_header_read(struct ic_cursor *cur)
{
	struct ic_btf_header header = { .version = ic_cursor_u8(cur) };

	header.flags = ic_cursor_u8(cur);
	header.size = ic_cursor_u32(cur);
	header.types_off = ic_cursor_u32(cur);
	header.types_size = ic_cursor_u32(cur);
	header.strings_off = ic_cursor_u32(cur);
	header.strings_size = ic_cursor_u32(cur);
	if (header.size >= IC_BTF_HEADER_SIZE + 8) {
		header.layout_off = ic_cursor_u32(cur);
		header.layout_size = ic_cursor_u32(cur);
	}
	return header;
}

static bool read_header(struct parser *parser, struct ic_error *err)
{
	struct ic_btf *btf = parser->btf;
	struct ic_btf_header *header = &parser->header;

	if (btf->bytes.size > UINT32_MAX)
		return ic_fail(err, IC_ERROR_UNSUPPORTED, "%s: section is too large: 4 GiB or more",
			       btf->section);
	if (!ic_btf_has_magic(btf->bytes, &btf->swap))
		return ic_fail_at(err, btf->section, 0, "no BTF magic number");
	struct ic_cursor cur =
		ic_cursor_at(btf->bytes, btf->section, 2, btf->bytes.size - 2, btf->swap);
	*header = ic_btf_header_read(&cur); // none of its flags is defined
	if (!ic_cursor_ok(&cur, err))
		return false;
	if (header->version != IC_BTF_VERSION)
		return ic_fail_at(err, btf->section, 2, "unsupported BTF version %u",
				  header->version);
	if (header->size < IC_BTF_HEADER_SIZE || header->size > btf->bytes.size)
		return ic_fail_at(err, btf->section, 4, "invalid header size: %u bytes",
				  header->size);
	return true;
}

// A part of the section; its offset counts from the end of the header.
static struct ic_cursor section_part(const struct parser *parser, uint32_t off, uint32_t size)
{
	return ic_cursor_at(parser->btf->bytes, parser->btf->section,
			    (uint64_t)parser->header.size + off, size, parser->btf->swap);
}

static bool read_strings(struct parser *parser, struct ic_error *err)
{
	const struct ic_btf_header *header = &parser->header;
	struct ic_btf *btf = parser->btf;
	struct ic_cursor cur = section_part(parser, header->strings_off, header->strings_size);

	if (header->strings_size > 0 && !ic_cursor_ok(&cur, err))
		return false;
	btf->strings_off = (uint64_t)header->size + header->strings_off;
	btf->strings_size = header->strings_size;
	if (btf->strings_size > 0 && cur.end[-1] != 0)
		return ic_fail_at(err, btf->section, btf->strings_off,
				  "the strings do not end with a NUL");
	if (btf->strings_size > UINT32_MAX - btf->first_string)
		return ic_fail_at(err, btf->section, btf->strings_off,
				  "too many strings, together with those of the base BTF");
	return true;
}

// Sets the sizes of kinds: the known ones, and those the section itself declares.
static bool read_sizes(struct parser *parser, struct ic_error *err)
{
	const struct ic_btf_header *header = &parser->header;
	struct ic_cursor cur = section_part(parser, header->layout_off, header->layout_size);

#define KIND(name, number, extra_size, item_size) \
	parser->sizes[number] = (struct kind_size){ extra_size, item_size, number > 0 };
#include "btf/kinds.def"
#undef KIND
	if (header->layout_size == 0)
		return true;
	for (unsigned kind = 0; ic_cursor_more(&cur) && kind < KIND_COUNT; kind++) {
		struct kind_size size = { .is_known = true };

		size.extra = ic_cursor_u8(&cur);
		size.item = ic_cursor_u8(&cur);
		ic_cursor_u16(&cur); // flags: whether readers may ignore the kind
		if (!parser->sizes[kind].is_known && kind > 0)
			parser->sizes[kind] = size;
	}
	return ic_cursor_ok(&cur, err);
}

static bool read_types(struct parser *parser, struct ic_error *err)
{
	const struct ic_btf_header *header = &parser->header;
	struct ic_cursor cur = section_part(parser, header->types_off, header->types_size);

	while (header->types_size > 0 && ic_cursor_more(&cur)) {
		uint64_t off = ic_cursor_off(&cur);
		ic_cursor_u32(&cur);
		uint32_t info = ic_cursor_u32(&cur), count = info & 0xffffff;
		ic_cursor_u32(&cur);
		unsigned kind = info >> 24 & 0x7f;
		const struct kind_size *size = &parser->sizes[kind];
		uint64_t items = kind == IC_BTF_FUNC ? 0 : count;

		if (!cur.fault && !size->is_known)
			return ic_fail_at(err, parser->btf->section, off,
					  "type %u is of kind %u, which has an unknown size",
					  parser->btf->first_id + parser->offs.count, kind);
		if (!cur.fault && kind == IC_BTF_LOC_PARAM && count == 0)
			return ic_fail_at(err, parser->btf->section, off,
					  "LOC_PARAM without values: the first layout of the "
					  "location kinds is not supported");
		ic_cursor_take(&cur, size->extra + items * size->item);
		if (cur.fault)
			break;
		uint32_t *place = IC_ARRAY_PUSH(&parser->offs);
		if (!place)
			return ic_fail_memory(err);
		*place = (uint32_t)off;
	}
	return header->types_size == 0 || ic_cursor_ok(&cur, err);
}

static bool parse_types(struct parser *parser, struct ic_error *err)
{
	struct ic_btf *btf = parser->btf;

	if (!read_header(parser, err) || !read_strings(parser, err) || !read_sizes(parser, err) ||
	    !read_types(parser, err))
		return false;
	if (parser->offs.count > UINT32_MAX - btf->first_id)
		return ic_fail_at(err, btf->section, 0, "too many types");
	btf->type_count = parser->offs.count;
	btf->type_offs = parser->offs.items;
	parser->offs.items = NULL;
	return true;
}

struct ic_btf *ic_btf_parse_section(const char *section, struct ic_bytes bytes,
				    const struct ic_btf *base, struct ic_error *err)
{
	struct parser parser = { .btf = calloc(1, sizeof(*parser.btf)) };

	if (!parser.btf) {
		ic_fail_memory(err);
		return NULL;
	}
	*parser.btf = (struct ic_btf){
		.section = section,
		.bytes = bytes,
		.base = base,
		.first_id = base ? ic_btf_count(base) : 1,
		.first_string = base ? base->first_string + base->strings_size : 0,
	};
	if (!parse_types(&parser, err)) {
		free(parser.offs.items);
		free(parser.btf);
		return NULL;
	}
	return parser.btf;
}

struct ic_btf *ic_btf_parse(const void *bytes, size_t size, const struct ic_btf *base,
			    struct ic_error *err)
{
	struct ic_error unwanted;

	return ic_btf_parse_section(".BTF", (struct ic_bytes){ bytes, size }, base,
				    err ? err : &unwanted);
}

void ic_btf_free(struct ic_btf *btf)
{
	if (btf)
		free(btf->type_offs);
	free(btf);
}

bool ic_btf_lacks_base(const struct ic_btf *btf)
{
	return !btf->base && btf->strings_size > 0 && btf->bytes.data[btf->strings_off] != 0;
}

uint32_t ic_btf_count(const struct ic_btf *btf)
{
	return btf->first_id + btf->type_count;
}

bool ic_btf_type_find(const struct ic_btf *btf, uint32_t id, struct ic_btf_type *type)
{
	while (btf && id < btf->first_id)
		btf = btf->base;
	if (!btf || id == 0 || id - btf->first_id >= btf->type_count)
		return false;
	uint32_t off = btf->type_offs[id - btf->first_id];
	const uint8_t *at = btf->bytes.data + off;
	uint32_t info = ic_load32(at + 4, btf->swap);
	*type = (struct ic_btf_type){
		.btf = btf,
		.off = off,
		.kind = info >> 24 & 0x7f,
		.name_off = ic_load32(at, btf->swap),
		.item_count = info & 0xffffff,
		.flag = info >> 31,
		.size = ic_load32(at + 8, btf->swap),
		.extra = at + IC_BTF_TYPE_SIZE,
	};
	return true;
}

uint32_t ic_btf_type_word(const struct ic_btf_type *type, uint32_t number)
{
	return ic_load32(type->extra + 4 * (size_t)number, type->btf->swap);
}

const char *ic_btf_string(const struct ic_btf *btf, uint32_t off)
{
	while (btf && off < btf->first_string)
		btf = btf->base;
	if (!btf || off - btf->first_string >= btf->strings_size)
		return NULL;
	off -= btf->first_string;
	const char *text = (const char *)btf->bytes.data + btf->strings_off + off;
	size_t rest = btf->strings_size - off;
	return memchr(text, 0, rest < IC_BTF_MOST_NAME ? rest : IC_BTF_MOST_NAME) ? text : NULL;
}

const char *ic_btf_name(const struct ic_btf *btf, uint32_t id)
{
	struct ic_btf_type type;
	const char *name = ic_btf_type_find(btf, id, &type) ? ic_btf_string(btf, type.name_off)
							    : NULL;

	return name && *name ? name : NULL;
}

const char *ic_btf_function_name(const struct ic_btf *btf, uint32_t id)
{
	struct ic_btf_type type;
	const char *name = NULL;

	if (ic_btf_type_find(btf, id, &type) && type.kind == IC_BTF_FUNC)
		name = ic_btf_string(btf, type.name_off);
	return name && *name ? name : NULL;
}

static bool find_prototype(const struct ic_btf *btf, uint32_t id, struct ic_btf_type *prototype)
{
	struct ic_btf_type function;

	return ic_btf_type_find(btf, id, &function) && function.kind == IC_BTF_FUNC &&
	       ic_btf_type_find(btf, function.size, prototype) &&
	       prototype->kind == IC_BTF_FUNC_PROTO;
}

bool ic_btf_function(const struct ic_btf *btf, uint32_t id, struct ic_btf_function *function)
{
	struct ic_btf_type prototype;

	if (!find_prototype(btf, id, &prototype))
		return false;
	uint32_t count = prototype.item_count;
	bool is_variadic = count > 0 && ic_btf_type_word(&prototype, 2 * count - 2) == 0 &&
			   ic_btf_type_word(&prototype, 2 * count - 1) == 0;
	*function = (struct ic_btf_function){ .name = ic_btf_name(btf, id),
					      .parameter_count = count - is_variadic,
					      .is_variadic = is_variadic };
	return true;
}

bool ic_btf_function_parameter(const struct ic_btf *btf, uint32_t id, uint32_t number,
			       const char **name, uint32_t *type)
{
	struct ic_btf_type prototype;

	if (!find_prototype(btf, id, &prototype) || number >= prototype.item_count)
		return false;
	*name = ic_btf_string(btf, ic_btf_type_word(&prototype, 2 * number));
	if (*name && !**name)
		*name = NULL;
	*type = ic_btf_type_word(&prototype, 2 * number + 1);
	return true;
}
