// Our own reader: elfutils' libelf does not support thin archives, and opens members one by one,
// each with its own handle, although a list of offsets is enough.
#include "elf/archives/archive_list.h"

#include <inttypes.h>
#include <string.h>

enum {
	MAGIC_SIZE = 8,
	HEADER_SIZE = 60, // name 16, time 12, owner 6, group 6, mode 8, size 10, "`\n"
	NAME_SIZE = 16,
	SIZE_AT = 48,
	SIZE_SIZE = 10,
	END_AT = 58,
	LONGEST_NAME = 4095,
	LONGEST_NESTED_NAME = 255, // each is copied, however many headers refer to it
	MOST_TABLES = 3,           // before the first member
};

struct reader {
	struct ic_bytes bytes;
	const char *path;
	bool is_thin;
	struct ic_arena *arena;
	struct ic_bytes names; // GNU's table of long names: each ends with "/\n" or "\n"
	char *names_copy;      // names are terminated in it; NULL if each is copied separately
	uint64_t indexed;      // the highest offset of a header in the symbol index
	bool has_index;
	bool out_of_memory;
};

struct header {
	char name[NAME_SIZE + 1]; // without trailing blanks
	uint64_t off, data_off, size;
};

static bool fail_header(const struct reader *reader, uint64_t off, const char *what,
			struct ic_error *err)
{
	ic_fail(err, IC_ERROR_MALFORMED, "%s: invalid member header at 0x%" PRIx64 ": %s",
		reader->path, off, what);
	err->offset = off;
	return false;
}

static bool fail_memory(struct reader *reader, struct ic_error *err)
{
	reader->out_of_memory = true;
	return ic_fail_memory(err);
}

// Decimal digits, at most `size` of them; returns what follows, NULL if there is none or the
// number does not fit.
static const char *parse_number(const char *text, size_t size, uint64_t *number)
{
	const char *at = text;

	for (*number = 0; at < text + size && *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10u, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
			return NULL;
	return at > text ? at : NULL;
}

static bool read_header(const struct reader *reader, uint64_t off, struct header *header,
			struct ic_error *err)
{
	const struct ic_bytes bytes = reader->bytes;
	size_t length = NAME_SIZE;

	if (off > bytes.size || bytes.size - off < HEADER_SIZE)
		return fail_header(reader, off, "truncated archive", err);
	const char *at = (const char *)bytes.data + off;
	if (at[END_AT] != '`' || at[END_AT + 1] != '\n')
		return fail_header(reader, off, "wrong terminator", err);
	const char *end = parse_number(at + SIZE_AT, SIZE_SIZE, &header->size);
	for (; end && end < at + SIZE_AT + SIZE_SIZE; end++)
		if (*end != ' ')
			return fail_header(reader, off, "size is not a number", err);
	if (!end)
		return fail_header(reader, off, "size is not a number", err);
	while (length > 0 && at[length - 1] == ' ')
		length--;
	if (length == 0 || memchr(at, 0, length))
		return fail_header(reader, off, "name is empty or contains a NUL", err);
	memcpy(header->name, at, length);
	header->name[length] = 0;
	header->off = off;
	header->data_off = off + HEADER_SIZE;
	return true;
}

static bool is_symbol_table(const char *name)
{
	return !strcmp(name, "/") || !strcmp(name, "/SYM64/") || !strncmp(name, "__.SYMDEF", 9);
}

static bool is_table(const struct header *header)
{
	return is_symbol_table(header->name) || !strcmp(header->name, "//");
}

static bool check_data(const struct reader *reader, const struct header *header,
		       struct ic_error *err)
{
	if (header->size <= reader->bytes.size - header->data_off)
		return true;
	return fail_header(reader, header->off,
			   "the member extends beyond the end: truncated archive", err);
}

// The length of a text that a newline or NUL ends, without a slash before it; false if there is no
// end within `most`.
static bool measure_name(struct ic_bytes table, uint64_t off, size_t most, size_t *length)
{
	const uint8_t *start = table.data + off;
	size_t room = table.size - (size_t)off, size = 0;

	while (size < room && start[size] != '\n' && start[size] != 0)
		if (++size > most + 1) // plus a slash
			return false;
	if (size == room)
		return false;
	*length = size > 0 && start[size - 1] == '/' ? size - 1 : size;
	return *length <= most;
}

static const char *keep_name(struct reader *reader, const void *text, size_t length,
			     struct ic_error *err)
{
	char *name = ic_arena_alloc(reader->arena, length + 1);

	if (!name) {
		fail_memory(reader, err);
		return NULL;
	}
	memcpy(name, text, length);
	name[length] = 0;
	return name;
}

// "/123": the name at offset 123 of the table; "/123:456" in a thin archive: a member of the
// archive with that name, with its header at offset 456 there.
static const char *read_long_name(struct reader *reader, const struct header *header,
				  uint64_t *origin, struct ic_error *err)
{
	uint64_t off;
	size_t length;
	const char *at = parse_number(header->name + 1, NAME_SIZE, &off);

	if (at && *at == ':' && reader->is_thin)
		at = parse_number(at + 1, NAME_SIZE, origin);
	if (!at || *at != 0) {
		fail_header(reader, header->off, "unknown form of name", err);
		return NULL;
	}
	if (off >= reader->names.size ||
	    !measure_name(reader->names, off,
			  reader->names_copy ? LONGEST_NAME : LONGEST_NESTED_NAME, &length)) {
		fail_header(reader, header->off, "name is not in the table of names", err);
		return NULL;
	}
	if (!reader->names_copy)
		return keep_name(reader, reader->names.data + off, length, err);
	reader->names_copy[off + length] = 0;
	return reader->names_copy + off;
}

// "#1/20": the name is the first 20 bytes of the data, padded with NULs.
static const char *read_bsd_name(struct reader *reader, struct header *header, struct ic_error *err)
{
	uint64_t size;
	const char *end = parse_number(header->name + 3, NAME_SIZE, &size);

	if (!end || *end != 0 || size > header->size || size > LONGEST_NAME) {
		fail_header(reader, header->off, "invalid length of name", err);
		return NULL;
	}
	const char *text = (const char *)reader->bytes.data + header->data_off;
	header->data_off += size;
	header->size -= size;
	return keep_name(reader, text, strnlen(text, (size_t)size), err);
}

static const char *read_name(struct reader *reader, struct header *header, uint64_t *origin,
			     struct ic_error *err)
{
	size_t length = strlen(header->name);

	*origin = 0;
	if (!strncmp(header->name, "#1/", 3) && !reader->is_thin)
		return read_bsd_name(reader, header, err);
	if (header->name[0] == '/' && length > 1)
		return read_long_name(reader, header, origin, err);
	if (length > 1 && header->name[length - 1] == '/') // GNU's: names may end with a blank
		length--;
	return keep_name(reader, header->name, length, err);
}

static uint64_t load_number(const uint8_t *at, size_t size, bool swap)
{
	return size == 8 ? ic_load64(at, swap) : ic_load32(at, swap);
}

// Reads the symbol index. GNU's is big-endian: a count, then the offset of a member's header for
// each symbol. BSD's, in the target's byte order: the size of the pairs of a name and a header's
// offset; then the pairs.
static void take_index(struct reader *reader, const char *name, const struct header *header)
{
	bool is_bsd = name[0] != '/';
	size_t size = strstr(name, "64") ? 8 : 4, stride = is_bsd ? 2 * size : size;
	const uint8_t *at = reader->bytes.data + header->data_off;
	bool swap = is_bsd == IC_HOST_IS_BIG_ENDIAN;

	if (reader->has_index || header->size < size) // the second index of Windows differs
		return;
	reader->has_index = true;
	if (is_bsd && load_number(at, size, swap) > header->size)
		swap = !swap;
	uint64_t number = load_number(at, size, swap), count = is_bsd ? number / stride : number;
	if (count > (header->size - size) / stride)
		return;
	for (at += stride; count-- > 0; at += stride) {
		uint64_t off = load_number(at, size, swap);
		reader->indexed = off > reader->indexed ? off : reader->indexed;
	}
}

// An archive cut off at the start of a member looks valid, except for its index.
static bool check_index(const struct reader *reader, struct ic_error *err)
{
	return reader->indexed < reader->bytes.size ||
	       fail_header(reader, reader->indexed,
			   "listed in the symbol index, but beyond the end: truncated archive",
			   err);
}

// Takes a table: that of names, or the symbol index.
static bool take_table(struct reader *reader, const struct header *header, bool copy,
		       struct ic_error *err)
{
	if (is_symbol_table(header->name))
		take_index(reader, header->name, header);
	if (strcmp(header->name, "//") != 0)
		return true;
	reader->names =
		(struct ic_bytes){ reader->bytes.data + header->data_off, (size_t)header->size };
	if (!copy)
		return true;
	reader->names_copy =
		ic_arena_copy(reader->arena, reader->names.data, reader->names.size, 1);
	return reader->names_copy || fail_memory(reader, err);
}

static bool take_member(struct reader *reader, struct header *header, struct ic_archive_list *list,
			struct ic_error *err)
{
	uint64_t origin;
	const char *name = read_name(reader, header, &origin, err);

	if (!name)
		return false;
	if (is_symbol_table(name)) {
		take_index(reader, name, header);
		return true;
	}
	struct ic_archive_member *member = IC_ARRAY_PUSH(&list->members);
	if (!member)
		return fail_memory(reader, err);
	*member = (struct ic_archive_member){ .name = name, .origin = origin };
	if (!list->is_thin) {
		member->off = header->data_off;
		member->size = header->size;
	}
	return true;
}

static bool read_all(struct reader *reader, struct ic_archive_list *list, struct ic_error *err)
{
	uint64_t next;

	for (uint64_t off = MAGIC_SIZE; off < reader->bytes.size; off = next + (next & 1)) {
		struct header header;
		if (!read_header(reader, off, &header, err))
			return false;
		bool has_data = !list->is_thin || is_table(&header);
		if (has_data && !check_data(reader, &header, err))
			return false;
		next = header.data_off + (has_data ? header.size : 0);
		if (!(is_table(&header) ? take_table(reader, &header, true, err)
					: take_member(reader, &header, list, err)))
			return false;
	}
	return check_index(reader, err);
}

bool ic_archive_is_archive(struct ic_bytes bytes)
{
	return bytes.size >= MAGIC_SIZE && (!memcmp(bytes.data, "!<arch>\n", MAGIC_SIZE) ||
					    !memcmp(bytes.data, "!<thin>\n", MAGIC_SIZE));
}

static struct reader reader_of(struct ic_bytes bytes, const char *path, struct ic_arena *arena)
{
	return (struct reader){ .bytes = bytes,
				.path = path,
				.is_thin = ic_archive_is_archive(bytes) && bytes.data[2] == 't',
				.arena = arena };
}

bool ic_archive_list_read(struct ic_archive_list *list, struct ic_bytes bytes, const char *path,
			  struct ic_error *err)
{
	*list = (struct ic_archive_list){ .is_thin = false };
	struct reader reader = reader_of(bytes, path, &list->arena);

	list->is_thin = reader.is_thin;
	if (read_all(&reader, list, &list->fault))
		list->fault.code = IC_ERROR_NONE;
	if (!reader.out_of_memory)
		return true;
	ic_archive_list_free(list);
	return ic_fail_memory(err);
}

bool ic_archive_member_read(struct ic_archive_member *member, struct ic_arena *arena,
			    struct ic_bytes bytes, const char *path, uint64_t off,
			    struct ic_error *err)
{
	struct reader reader = reader_of(bytes, path, arena);
	struct header header;
	uint64_t origin, next = MAGIC_SIZE;

	if (!ic_archive_is_archive(bytes) || reader.is_thin)
		return ic_fail(err, IC_ERROR_MALFORMED,
			       "%s: not an archive, although a thin archive lists a member of it",
			       path);
	for (int i = 0; i < MOST_TABLES; i++) {
		if (!read_header(&reader, next, &header, err) || !check_data(&reader, &header, err))
			return false;
		if (!is_table(&header))
			break;
		if (!take_table(&reader, &header, false, err))
			return false;
		next = header.data_off + header.size;
		next += next & 1;
	}
	if (!read_header(&reader, off, &header, err) || !check_data(&reader, &header, err))
		return false;
	const char *name = read_name(&reader, &header, &origin, err);
	if (!name)
		return false;
	*member = (struct ic_archive_member){ .name = name,
					      .off = header.data_off,
					      .size = header.size };
	return true;
}

void ic_archive_list_free(struct ic_archive_list *list)
{
	IC_ARRAY_FREE(&list->members);
	ic_arena_free(&list->arena);
}
