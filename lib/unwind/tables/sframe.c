#include "unwind/tables/sframe.h"

#include <inttypes.h>

#include "base/machine.h"
#include "dwarf/expressions/operation.h"
#include "dwarf/frames/rows.h"

// s390x: the CFA is this far above the stack pointer in the caller.
enum { S390_SP_OFFSET = -160 };

// ---- FDEs

struct ic_cie ic_sframe_cie(const struct ic_sframe *sframe, const struct ic_sframe_fde *fde)
{
	return (struct ic_cie){ .augmentation = "",
				.return_reg = sframe->abi->ra,
				.addr_size = 8,
				.is_signal = fde->is_signal,
				.has_b_key = fde->has_b_key };
}

// Adds what CIEs would describe, in the order of cie_of().
static bool add_cies(const struct ic_sframe *sframe, struct ic_cfi_table *table)
{
	for (uint32_t i = 0; i < 4; i++) {
		const struct ic_sframe_fde fde = { .is_signal = i & 1, .has_b_key = i & 2 };
		if (!IC_ARRAY_ADD(&table->cies, ic_sframe_cie(sframe, &fde)))
			return false;
	}
	return true;
}

static uint32_t cie_of(const struct ic_sframe_fde *fde)
{
	return (fde->is_signal ? 1u : 0) + (fde->has_b_key ? 2u : 0);
}

static bool add_fde(struct ic_cfi_table *table, const struct ic_sframe_fde *fde)
{
	table->fde_count++;
	if (fde->start == fde->end)
		return true;
	struct ic_cfi_place *place = IC_ARRAY_PUSH(&table->places);
	if (place)
		*place = (struct ic_cfi_place){ fde->start, fde->end, 0, fde->off, cie_of(fde) };
	return place;
}

// Reports data that is not read. Linkers that do not merge tables put them one after another.
static void check_sizes(const struct ic_sframe *sframe, struct ic_problems *problems)
{
	const struct ic_bytes rest = { sframe->bytes.data + sframe->end,
				       sframe->bytes.size - (size_t)sframe->end };
	struct ic_error err;

	if (sframe->lost_count > 0) {
		ic_fail_at(&err, ".sframe", 0,
			   "the section has no room for %" PRIu32 " of its FDEs",
			   sframe->lost_count);
		ic_problems_add(problems, &err, NULL, 0);
	}
	if (!ic_bytes_are_zero(rest)) {
		ic_fail_at(&err, ".sframe", sframe->end,
			   "%zu bytes after the first table are not read", rest.size);
		ic_problems_add(problems, &err, NULL, 0);
	}
}

bool ic_sframe_list(const struct ic_sframe *sframe, struct ic_cfi_table *table,
		    struct ic_memory *memory, struct ic_problems *problems)
{
	table->places.memory = table->cies.memory = memory;
	if (!add_cies(sframe, table))
		return false;
	check_sizes(sframe, problems);
	for (uint32_t i = 0; i < sframe->fde_count; i++) {
		struct ic_sframe_fde fde;
		struct ic_error err;

		if (!ic_sframe_fde_read(sframe, i, &fde, &err))
			ic_problems_add(problems, &err, ".sframe", fde.off);
		else if (!add_fde(table, &fde))
			return false;
	}
	ic_cfi_table_sort(table);
	return true;
}

// ---- Rules

static void put_byte(struct ic_sframe_rules *rules, uint8_t byte)
{
	rules->bytes[rules->size++] = byte;
}

static void put_uleb(struct ic_sframe_rules *rules, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(rules, (uint8_t)((value & 0x7f) | 0x80));
	put_byte(rules, (uint8_t)value);
}

static void put_sleb(struct ic_sframe_rules *rules, int64_t value)
{
	for (; value < -0x40 || value >= 0x40; value >>= 7)
		put_byte(rules, (uint8_t)((value & 0x7f) | 0x80));
	put_byte(rules, (uint8_t)(value & 0x7f));
}

// An expression for register + offset, or what is in memory there.
static struct ic_register_rule make_expression(struct ic_sframe_rules *rules,
					       enum ic_register_rule_kind kind,
					       const struct ic_sframe_value *value, bool derefs)
{
	uint32_t before = rules->size;

	if (value->reg < 32) {
		put_byte(rules, (uint8_t)(DW_OP_breg0 + value->reg));
	} else {
		put_byte(rules, DW_OP_bregx);
		put_uleb(rules, value->reg);
	}
	put_sleb(rules, value->offset);
	if (derefs)
		put_byte(rules, DW_OP_deref);
	return (struct ic_register_rule){ .kind = (uint8_t)kind,
					  .from = rules->size - before,
					  .at.expression = rules->bytes + before };
}

static struct ic_register_rule make_cfa(struct ic_sframe_rules *rules,
					const struct ic_sframe_row *row)
{
	const struct ic_sframe_value *cfa = &row->cfa;

	if (row->is_outermost)
		return (struct ic_register_rule){ .kind = IC_RULE_UNDEFINED };
	if (cfa->is_memory)
		return make_expression(rules, IC_RULE_VAL_EXPRESSION, cfa, true);
	return (struct ic_register_rule){ .kind = IC_RULE_REGISTER,
					  .from = cfa->reg,
					  .at.offset = cfa->offset };
}

static struct ic_register_rule make_rule(struct ic_sframe_rules *rules,
					 const struct ic_sframe_value *value)
{
	if (value->base == IC_SFRAME_CFA)
		return (struct ic_register_rule){ .kind = value->is_memory ? IC_RULE_OFFSET
									   : IC_RULE_VAL_OFFSET,
						  .at.offset = value->offset };
	if (value->is_memory)
		return make_expression(rules, IC_RULE_EXPRESSION, value, false);
	if (value->offset != 0)
		return make_expression(rules, IC_RULE_VAL_EXPRESSION, value, false);
	return (struct ic_register_rule){ .kind = IC_RULE_REGISTER, .from = value->reg };
}

static void add_rule(struct ic_sframe_rules *rules, uint16_t reg, struct ic_register_rule rule)
{
	rule.reg = reg;
	rules->rules[rules->count++] = rule;
}

static void add_value(struct ic_sframe_rules *rules, uint16_t reg,
		      const struct ic_sframe_value *value)
{
	if (value->base != IC_SFRAME_NOWHERE)
		add_rule(rules, reg, make_rule(rules, value));
}

// Rules are in the order of registers: in every ABI, fp < ra < sp, or the state of signing.
void ic_sframe_convert(const struct ic_sframe *sframe, const struct ic_sframe_row *row,
		       struct ic_sframe_rules *rules, struct ic_call_frame_row *made)
{
	const struct ic_sframe_abi *abi = sframe->abi;

	rules->count = rules->size = 0;
	*made = (struct ic_call_frame_row){ .range = { row->start, row->end },
					    .cfa = make_cfa(rules, row),
					    .rules = rules->rules };
	add_value(rules, abi->fp, &row->fp);
	if (row->is_outermost)
		add_rule(rules, abi->ra, (struct ic_register_rule){ .kind = IC_RULE_UNDEFINED });
	else
		add_value(rules, abi->ra, &row->ra);
	if (row->is_signed)
		add_rule(rules, IC_AARCH64_RA_SIGN_STATE,
			 (struct ic_register_rule){ .kind = IC_RULE_CONSTANT, .at.offset = 1 });
	if (abi->machine == IC_MACHINE_S390 && !row->is_outermost)
		add_rule(rules, abi->sp,
			 (struct ic_register_rule){ .kind = IC_RULE_VAL_OFFSET,
						    .at.offset = S390_SP_OFFSET });
	made->rule_count = rules->count;
}
