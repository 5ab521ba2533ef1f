#include "cfi_builder.h"

#include <string.h>

size_t cfi_begin(struct cfi_builder *cfi)
{
	size_t off = cfi->bytes.size;

	if (cfi->is_64)
		byte_buffer_put(&cfi->bytes, UINT32_MAX, 4);
	byte_buffer_put(&cfi->bytes, 0, cfi->is_64 ? 8 : 4);
	cfi->body_off = cfi->bytes.size;
	return off;
}

void cfi_end(struct cfi_builder *cfi)
{
	size_t size = cfi->is_64 ? 8 : 4;

	byte_buffer_patch(&cfi->bytes, cfi->body_off - size, cfi->bytes.size - cfi->body_off, size);
}

// In .eh_frame an identifier has 4 bytes whatever the length.
static size_t identifier_size(const struct cfi_builder *cfi)
{
	return cfi->is_64 && !cfi->is_eh ? 8 : 4;
}

void cfi_put_cie_identifier(struct cfi_builder *cfi)
{
	byte_buffer_put(&cfi->bytes, cfi->is_eh ? 0 : UINT64_MAX, identifier_size(cfi));
}

void cfi_put_cie_pointer(struct cfi_builder *cfi, size_t cie)
{
	byte_buffer_put(&cfi->bytes, cfi->is_eh ? cfi->bytes.size - cie : cie,
			identifier_size(cfi));
}

static void put_block(struct byte_buffer *buf, struct bytes block)
{
	byte_buffer_uleb(buf, block.size);
	byte_buffer_append(buf, block.data, block.size);
}

size_t cfi_add_cie(struct cfi_builder *cfi, struct cfi_cie cie)
{
	struct byte_buffer *buf = &cfi->bytes;
	const char *augmentation = cie.augmentation ? cie.augmentation : "";
	size_t off = cfi_begin(cfi);

	cfi_put_cie_identifier(cfi);
	byte_buffer_put(buf, cie.version ? cie.version : 1, 1);
	byte_buffer_string(buf, augmentation);
	if (strcmp(augmentation, "eh") == 0)
		byte_buffer_append(buf, cie.data.data, cie.data.size);
	if (cie.version == 4) {
		byte_buffer_put(buf, cfi->addr_size, 1);
		byte_buffer_put(buf, cie.segment_size, 1);
	}
	byte_buffer_uleb(buf, cie.code_align ? cie.code_align : 1);
	byte_buffer_sleb(buf, cie.data_align ? cie.data_align : -8);
	if (cie.version <= 1)
		byte_buffer_put(buf, cie.return_reg, 1);
	else
		byte_buffer_uleb(buf, cie.return_reg);
	if (augmentation[0] == 'z')
		put_block(buf, cie.data);
	byte_buffer_append(buf, cie.instructions.data, cie.instructions.size);
	cfi_end(cfi);
	return off;
}

size_t cfi_add_fde(struct cfi_builder *cfi, struct cfi_fde fde)
{
	struct byte_buffer *buf = &cfi->bytes;
	size_t off = cfi_begin(cfi);

	cfi_put_cie_pointer(cfi, fde.cie);
	byte_buffer_put(buf, fde.start, cfi->addr_size);
	byte_buffer_put(buf, fde.size, cfi->addr_size);
	if (fde.has_data)
		put_block(buf, fde.data);
	byte_buffer_append(buf, fde.instructions.data, fde.instructions.size);
	cfi_end(cfi);
	return off;
}

size_t cfi_add_terminator(struct cfi_builder *cfi)
{
	size_t off = cfi->bytes.size;

	byte_buffer_put(&cfi->bytes, 0, 4);
	return off;
}

void cfi_builder_deinit(struct cfi_builder *cfi)
{
	byte_buffer_deinit(&cfi->bytes);
}

enum { SDATA4 = 0x0b, UDATA4 = 0x03, DATAREL = 0x30, BASE = 0x70 };

// The bytes of a number by its DW_EH_PE_*.
static size_t number_size(uint8_t encoding, uint8_t addr_size)
{
	static const size_t sizes[] = { 0, 0, 2, 4, 8 };
	size_t size = sizes[encoding & 7];

	return size ? size : addr_size;
}

struct byte_buffer cfi_index_build(struct cfi_index index, const struct cfi_pair *pairs,
				   size_t count)
{
	struct byte_buffer buf = { .big_endian = index.big_endian };
	uint8_t encoding = index.encoding ? index.encoding : DATAREL | SDATA4;
	size_t size = number_size(encoding, index.addr_size ? index.addr_size : 8);
	uint64_t base = encoding & BASE ? index.addr : 0;

	byte_buffer_put(&buf, 1, 1);
	byte_buffer_put(&buf, SDATA4, 1); // of the address of .eh_frame
	byte_buffer_put(&buf, UDATA4, 1); // of the count
	byte_buffer_put(&buf, encoding, 1);
	byte_buffer_put(&buf, 0, 4);
	byte_buffer_put(&buf, count + index.more, 4);
	for (size_t i = 0; i < count; i++) {
		byte_buffer_put(&buf, pairs[i].start - base, size);
		byte_buffer_put(&buf, pairs[i].fde_addr - base, size);
	}
	return buf;
}
