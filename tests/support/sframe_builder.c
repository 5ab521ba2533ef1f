#include "sframe_builder.h"

enum { MAGIC = 0xdee2 };

static const uint8_t fde_sizes[] = { 0, 17, 20, 16 }; // by version

// The number of rows is patched when the next ones are known.
static void put_attributes(struct byte_buffer *buf, const struct sframe_fde *fde)
{
	byte_buffer_put(buf, 0, 2);
	byte_buffer_put(buf, fde->row_type | fde->bits, 1);
	byte_buffer_put(buf, fde->type, 1);
	byte_buffer_put(buf, fde->block_size, 1);
}

void sframe_add_fde(struct sframe_builder *sframe, struct sframe_fde fde)
{
	size_t number = sframe->fde_count++;

	if (number == sizeof(sframe->fdes) / sizeof(*sframe->fdes))
		support_fail("too many FDEs");
	sframe->rows.big_endian = sframe->big_endian;
	sframe->fdes[number] = fde;
	sframe->row_offs[number] = (uint32_t)sframe->rows.size;
	if (sframe->version >= 3)
		put_attributes(&sframe->rows, &fde);
}

void sframe_add_row(struct sframe_builder *sframe, struct sframe_row row)
{
	size_t number = sframe->fde_count - 1;
	struct byte_buffer *buf = &sframe->rows;

	byte_buffer_put(buf, row.start, (size_t)1 << sframe->fdes[number].row_type);
	byte_buffer_put(
		buf, row.is_signed << 7 | row.word_size << 5 | row.count << 1 | row.is_from_sp, 1);
	for (size_t i = 0; i < row.count; i++)
		byte_buffer_put(buf, (uint64_t)row.words[i], (size_t)1 << row.word_size);
	sframe->row_counts[number]++;
	sframe->row_count++;
}

static void put_header(struct byte_buffer *buf, const struct sframe_builder *sframe)
{
	size_t fdes_size = sframe->fde_count * fde_sizes[sframe->version];

	byte_buffer_put(buf, MAGIC, 2);
	byte_buffer_put(buf, sframe->version, 1);
	byte_buffer_put(buf, sframe->flags, 1);
	byte_buffer_put(buf, sframe->abi, 1);
	byte_buffer_put(buf, (uint64_t)sframe->fixed_fp, 1);
	byte_buffer_put(buf, (uint64_t)sframe->fixed_ra, 1);
	byte_buffer_put(buf, sframe->more_header, 1);
	byte_buffer_put(buf, sframe->fde_count + (size_t)sframe->more_fdes, 4);
	byte_buffer_put(buf, sframe->row_count, 4);
	byte_buffer_put(buf, sframe->rows.size + (size_t)sframe->more_rows_size, 4);
	byte_buffer_put(buf, (uint64_t)sframe->more_fdes_off, 4);
	byte_buffer_put(buf, fdes_size, 4);
	byte_buffer_fill(buf, 0xee, sframe->more_header);
}

static void put_fde(struct byte_buffer *buf, const struct sframe_builder *sframe, size_t number)
{
	const struct sframe_fde *fde = &sframe->fdes[number];
	uint64_t base = sframe->addr + (sframe->flags & SFRAME_RELATIVE ? buf->size : 0);

	byte_buffer_put(buf, fde->start - base, sframe->version >= 3 ? 8 : 4);
	byte_buffer_put(buf, fde->size, 4);
	byte_buffer_put(buf, sframe->row_offs[number] + (uint32_t)fde->more_off, 4);
	if (sframe->version >= 3)
		return;
	byte_buffer_put(buf, sframe->row_counts[number] + (uint32_t)fde->more_rows, 4);
	byte_buffer_put(buf, fde->row_type | fde->bits, 1);
	if (sframe->version < 2)
		return;
	byte_buffer_put(buf, fde->block_size, 1);
	byte_buffer_put(buf, 0, 2);
}

struct byte_buffer sframe_build(struct sframe_builder *sframe)
{
	struct byte_buffer buf = { .big_endian = sframe->big_endian };

	put_header(&buf, sframe);
	for (size_t i = 0; i < sframe->fde_count; i++) {
		put_fde(&buf, sframe, i);
		if (sframe->version >= 3)
			byte_buffer_patch(
				&sframe->rows, sframe->row_offs[i],
				sframe->row_counts[i] + (uint32_t)sframe->fdes[i].more_rows, 2);
	}
	byte_buffer_append(&buf, sframe->rows.data, sframe->rows.size);
	return buf;
}

void sframe_builder_deinit(struct sframe_builder *sframe)
{
	byte_buffer_deinit(&sframe->rows);
}
