#include "pages/page.h"

#include <string.h>

#include "text/json_text.h"

int64_t ic_page_text_number(struct ic_page_text *texts, const char *text)
{
	uint32_t number = text ? ic_byte_pool_add(&texts->pool, text, (uint32_t)strlen(text) + 1)
			       : IC_NONE;

	texts->out_of_memory |= text && number == IC_NONE;
	return number == IC_NONE ? -1 : (int64_t)number;
}

void ic_page_text_free(struct ic_page_text *texts)
{
	ic_byte_pool_free(&texts->pool);
}

void ic_page_begin(struct ic_output *output)
{
	ic_output_bytes(output, (const char *)ic_page_before, ic_page_before_size);
}

void ic_page_end(struct ic_output *output)
{
	ic_output_bytes(output, (const char *)ic_page_behind, ic_page_behind_size);
}

void ic_page_texts(struct ic_output *output, const struct ic_page_text *texts)
{
	ic_output_char(output, '[');
	for (uint32_t i = 0; i < texts->pool.runs.count; i++) {
		if (i > 0)
			ic_output_text(output, ",\n");
		ic_json_script_text(output, (const char *)ic_byte_pool_get(&texts->pool, i).data);
	}
	ic_output_char(output, ']');
}

void ic_page_number(struct ic_output *output, int64_t number)
{
	if (number < 0)
		ic_output_char(output, '-');
	ic_output_decimal(output, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}
