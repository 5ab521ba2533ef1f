// Fuzzes ORC tables.
// Wanted: an error that says why, or rows for addresses that can be used as they are: registers
// that exist, each expression within the bytes for it.
#include "fuzz_input.h"
#include "unwind/tables/orc.h"

#include <inlinecall/extra/call_frames.h>

static void check_rule(const struct ic_register_rule *rule, const uint8_t *bytes)
{
	bool is_expression = rule->kind == IC_RULE_EXPRESSION ||
			     rule->kind == IC_RULE_VAL_EXPRESSION;

	PROMISE(rule->reg <= 16 && rule->space == 0);
	if (!is_expression)
		return;
	PROMISE(rule->from > 1 && rule->at.expression >= bytes);
	PROMISE(rule->at.expression + rule->from <= bytes + IC_ORC_MOST_BYTES);
}

static void check_row(const struct ic_orc *orc, uint64_t addr)
{
	uint8_t bytes[IC_ORC_MOST_BYTES];
	struct ic_orc_row row;
	bool has_return = false;

	if (!ic_orc_find(orc, addr, bytes, &row))
		return;
	PROMISE(row.rule_count > 0 && row.rule_count <= IC_ORC_MOST_RULES);
	PROMISE(row.cfa.kind == IC_RULE_VAL_EXPRESSION || row.cfa.from <= 16);
	check_rule(&row.cfa, bytes);
	for (size_t i = 0; i < row.rule_count; i++) {
		check_rule(&row.rules[i], bytes);
		has_return |= row.rules[i].reg == 16;
	}
	PROMISE(has_return);
	PROMISE((row.mode != 0) == (row.kind == IC_ORC_REGS || row.kind == IC_ORC_IRET));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, data + size };
	struct ic_bytes sections[3];
	struct ic_error err = { 0 };
	struct ic_orc orc;
	bool swap = fuzz_take_u8(&in) & 1;
	uint64_t base = (uint64_t)fuzz_take_u8(&in) << 56;

	fuzz_take_sections(&in, sections, 3);
	const struct ic_orc_sections of = { sections[0], sections[1], sections[2], base, swap };
	if (ic_orc_init(&orc, &of, &err)) {
		for (uint32_t i = 0; i < orc.count && i < 256; i++) {
			uint64_t off = (uint64_t)i * 4;
			int32_t from = (int32_t)ic_load32(sections[0].data + off, swap);
			check_row(&orc, base + off + (uint64_t)(int64_t)from);
			check_row(&orc, base + off + (uint64_t)(int64_t)from - 1);
		}
		check_row(&orc, 0);
		check_row(&orc, UINT64_MAX);
	} else {
		PROMISE_REASON(err);
	}
	fuzz_free_sections(sections, 3);
	return 0;
}
