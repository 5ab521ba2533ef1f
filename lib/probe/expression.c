// Writes arguments as expressions with C's operators, and a printf of them.
#include <inttypes.h>

#include "probe/spelling.h"

static const char *type_of(const struct ic_expression_style *style, unsigned size, bool is_signed)
{
	unsigned power = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;

	return style->types[2 * power + (is_signed ? 0 : 1)];
}

static void add_offset(struct ic_probe_text *text, int64_t offset)
{
	if (offset != 0)
		ic_probe_text_add(text, "%c%" PRIu64, offset < 0 ? '-' : '+',
				  offset < 0 ? -(uint64_t)offset : (uint64_t)offset);
}

// What is written before the address of the value itself.
static void begin_load(const struct ic_expression_style *style, const struct ic_fetch *fetch,
		       struct ic_probe_text *text)
{
	if (!fetch->is_text)
		ic_probe_text_add(text, "%s%s%s", style->load,
				  type_of(style, fetch->size, fetch->is_signed),
				  style->load_type_end);
	else
		ic_probe_text_add(text, "%s",
				  fetch->most_text > 0 && style->sized_text ? style->sized_text
									    : style->text);
}

static void end_load(const struct ic_expression_style *style, const struct ic_fetch *fetch,
		     struct ic_probe_text *text)
{
	if (fetch->most_text > 0 && style->sized_text)
		ic_probe_text_add(text, ", %" PRIu64 "%s", fetch->most_text, style->sized_text_end);
	else
		ic_probe_text_add(text, ")");
}

static bool add_memory(struct ic_spelling *spelling, const struct ic_expression_style *style,
		       const struct ic_fetch *fetch, struct ic_probe_text *text)
{
	const char *pointer = type_of(style, spelling->target->addr_size, false);

	begin_load(style, fetch, text);
	for (uint32_t i = 1; i < fetch->offset_count; i++)
		ic_probe_text_add(text, "%s%s%s", style->load, pointer, style->load_type_end);
	if (!style->reg(spelling, text, fetch->reg))
		return false;
	for (uint32_t i = 0; i + 1 < fetch->offset_count; i++) {
		add_offset(text, fetch->offsets[i]);
		ic_probe_text_add(text, ")");
	}
	add_offset(text, fetch->offsets[fetch->offset_count - 1]);
	end_load(style, fetch, text);
	return true;
}

// Written before and after a register's value or a sum, these cut it to the size of the argument.
static void begin_cut(const struct ic_expression_style *style, const struct ic_fetch *fetch,
		      struct ic_probe_text *text)
{
	if (style->has_one_type)
		ic_probe_text_add(text, "%s((", fetch->is_signed && fetch->size < 8 ? "((" : "");
	else
		ic_probe_text_add(text, "(%s)(", type_of(style, fetch->size, fetch->is_signed));
}

static void end_cut(const struct ic_expression_style *style, const struct ic_fetch *fetch,
		    struct ic_probe_text *text)
{
	uint64_t sign = 1ull << (8 * fetch->size - 1);

	ic_probe_text_add(text, "%s)", fetch->is_bit && !style->has_one_type ? " & 1" : "");
	if (!style->has_one_type)
		return;
	if (fetch->size < 8)
		ic_probe_text_add(text, " & 0x%" PRIx64, fetch->is_bit ? 1 : sign | (sign - 1));
	ic_probe_text_add(text, ")");
	if (fetch->is_signed && fetch->size < 8)
		ic_probe_text_add(text, " ^ 0x%" PRIx64 ") - 0x%" PRIx64 ")", sign, sign);
}

static const char *add_expression(struct ic_spelling *spelling,
				  const struct ic_expression_style *style,
				  const struct ic_fetch *fetch, struct ic_probe_text *text)
{
	bool ok = true;

	if (fetch->bit_size > 0)
		return "bit-fields are not supported";
	switch (fetch->kind) {
	case IC_FETCH_NONE: return fetch->why;
	case IC_FETCH_NUMBER:
		if (fetch->is_signed && ic_fetch_signed(fetch) != INT64_MIN)
			ic_probe_text_add(text, "%" PRId64, ic_fetch_signed(fetch));
		else
			ic_probe_text_add(text, "0x%" PRIx64, ic_fetch_unsigned(fetch));
		break;
	case IC_FETCH_REGISTER:
	case IC_FETCH_SUM:
		begin_cut(style, fetch, text);
		ok = style->reg(spelling, text, fetch->reg);
		if (fetch->kind == IC_FETCH_SUM)
			add_offset(text, fetch->offsets[0]);
		end_cut(style, fetch, text);
		break;
	case IC_FETCH_MEMORY:
		if (fetch->is_absolute)
			return "at an address known only at load time";
		ok = add_memory(spelling, style, fetch, text);
		break;
	}
	return ok ? NULL : "in a register unknown to the tracer";
}

// Appends a string that knows its length, if the tracer can be given that. Returns whether it can.
static bool add_counted(struct ic_spelling *spelling, const struct ic_expression_style *style,
			const struct ic_parameter parts[2], struct ic_probe_text *text)
{
	unsigned addr_size = spelling->target->addr_size;
	struct ic_fetch addr = ic_fetch_value_of(&parts[0], addr_size),
			size = ic_fetch_value_of(&parts[1], addr_size);

	if (!style->sized_text)
		return false;
	ic_probe_text_add(text, "%s", style->sized_text);
	bool ok = !add_expression(spelling, style, &addr, text);
	ic_probe_text_add(text, ", ");
	ok = ok && !add_expression(spelling, style, &size, text);
	ic_probe_text_add(text, "%s", style->sized_text_end);
	return ok;
}

// Appends an argument's expression. If that is impossible, leaves the argument out and returns
// false.
static bool add_argument(struct ic_spelling *spelling, const struct ic_expression_style *style,
			 const struct ic_parameter *param, struct ic_probe_text *text,
			 struct ic_fetch *fetch)
{
	uint32_t before = text->bytes.count;
	const char *why;

	*fetch = (struct ic_fetch){ .kind = IC_FETCH_MEMORY, .is_text = true };
	if (param->string && add_counted(spelling, style, param->string, text))
		return true;
	ic_probe_text_cut(text, before);
	*fetch = ic_fetch_of(param, spelling->target->addr_size);
	why = add_expression(spelling, style, fetch, text);
	if (why) {
		ic_probe_text_cut(text, before);
		ic_spelling_leave_out(spelling, param, why);
	}
	return !why;
}

static void add_format(struct ic_spelling *spelling, const struct ic_expression_style *style,
		       const struct ic_fetch *fetch)
{
	unsigned number = fetch->is_pointer ? 2 : fetch->is_signed ? 0 : 1;

	if (!fetch->is_text)
		ic_probe_text_add(&spelling->text, "%s", style->formats[number]);
	else if (fetch->most_text > 0 && !style->sized_text)
		ic_probe_text_add(&spelling->text, "%s%%.%" PRIu64 "s%s", style->quote,
				  fetch->most_text, style->quote);
	else
		ic_probe_text_add(&spelling->text, "%s%%s%s", style->quote, style->quote);
}

void ic_spelling_add_printf(struct ic_spelling *spelling, const struct ic_expression_style *style)
{
	struct ic_probe_text values = { .bytes = { NULL, 0, 0, NULL } };
	struct ic_fetch fetch;
	char name[64];
	unsigned count = 0;

	ic_probe_text_add(&spelling->text, "\"%s", spelling->probe->event);
	for (size_t i = 0; i < spelling->param_count; i++) {
		const struct ic_parameter *param = &spelling->params[i];
		if (count == style->most) {
			ic_spelling_leave_out(spelling, param, "too many arguments for printf");
			continue;
		}
		uint32_t before = values.bytes.count;
		ic_probe_text_add(&values, ", ");
		if (!add_argument(spelling, style, param, &values, &fetch)) {
			ic_probe_text_cut(&values, before);
			continue;
		}
		count++;
		ic_probe_identifier(param->name, name, sizeof(name));
		ic_probe_text_add(&spelling->text, " %s=", name);
		add_format(spelling, style, &fetch);
	}
	ic_probe_text_add(&spelling->text, "\\n\"%s",
			  values.bytes.count > 0 ? values.bytes.items : "");
	spelling->text.out_of_memory |= values.out_of_memory;
	IC_ARRAY_FREE(&values.bytes);
}
