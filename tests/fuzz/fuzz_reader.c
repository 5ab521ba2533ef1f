#include "fuzz_reader.h"

#include "fuzz_input.h"

static bool wants_tag(uint16_t tag)
{
	switch (tag) {
#define TAG(name, code, reader) case code:
#include "dwarf/units/tags.def"
#undef TAG
		return true;
	}
	return false;
}

static uint8_t classify(const struct ic_abbrev *abbrev, const struct ic_attr_spec *specs,
			const void *context)
{
	(void)context;
	for (uint32_t i = 0; i < abbrev->spec_count; i++)
		if (specs[i].name == DW_AT_low_pc)
			return IC_KIND_FIRST << 1;
	return abbrev->tag == DW_TAG_compile_unit ? IC_KIND_PASSED : IC_KIND_FIRST;
}

const struct ic_abbrev_reader fuzz_reader = { wants_tag, classify, NULL };

static void check_plan(const struct ic_abbrev_table *table, uint32_t plan)
{
	PROMISE(plan < table->plans.count);
	if (plan == 0) {
		PROMISE(table->plans.items[0].op == IC_PLAN_ABSENT);
		return;
	}
	while (table->plans.items[plan].op != IC_PLAN_END) {
		plan++;
		PROMISE(plan < table->plans.count);
	}
}

static void check_step(const struct ic_abbrev_table *table, const struct ic_step *step)
{
	PROMISE(step->depth_change >= -1 && step->depth_change <= 1);
	if (step->kind == IC_KIND_OTHER) {
		if (step->size == IC_STEP_PLANNED)
			check_plan(table, step->detail);
		return;
	}
	PROMISE(step->detail < table->kept.count);
	const struct ic_abbrev *kept = &table->kept.items[step->detail];
	PROMISE(kept->first_spec <= table->specs.count);
	PROMISE(kept->spec_count <= table->specs.count - kept->first_spec);
	PROMISE(kept->has_children == (step->depth_change == 1));
	if (step->size == IC_STEP_PLANNED)
		check_plan(table, kept->plan);
}

void fuzz_check_table(const struct ic_abbrev_table *table)
{
	PROMISE(table->steps.count > 0 && table->steps.items[0].depth_change == -1);
	for (uint32_t i = 0; i < table->steps.count; i++)
		check_step(table, &table->steps.items[i]);
	for (uint32_t i = 0; i < table->sparse.count; i++) {
		check_step(table, &table->sparse.items[i].step);
		PROMISE(i == 0 || table->sparse.items[i - 1].code <= table->sparse.items[i].code);
	}
}
