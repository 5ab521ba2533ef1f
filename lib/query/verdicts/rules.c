// Which verdict follows from the facts about a function.
#include "query/verdicts/verdict.h"

// A part of the function does not count as its code.
static bool has_code(const struct ic_verdict_draft *draft, bool described)
{
	for (uint32_t i = 0; i < draft->code.count; i++)
		if (draft->code.items[i].kind != IC_VERDICT_PART &&
		    (!described || draft->code.items[i].site != IC_VERDICT_NO_SITE))
			return true;
	return false;
}

static bool is_partly(const struct ic_verdict_draft *draft)
{
	return draft->item.verdict.inlined == IC_INLINED_PARTLY;
}

static bool is_fully(const struct ic_verdict_draft *draft)
{
	return draft->item.verdict.inlined == IC_INLINED_FULLY;
}

static bool has_lost_copies(const struct ic_verdict_draft *draft)
{
	return has_code(draft, true) && draft->item.verdict.without_code > 0;
}

static bool is_described(const struct ic_verdict_draft *draft)
{
	return has_code(draft, true);
}

static bool is_resolver(const struct ic_verdict_draft *draft)
{
	bool all = draft->code.count > 0;

	for (uint32_t i = 0; i < draft->code.count; i++)
		all &= draft->code.items[i].kind == IC_VERDICT_CHOOSING;
	return all;
}

static bool is_alias(const struct ic_verdict_draft *draft)
{
	return draft->code.count > 0 && draft->others.count > 0;
}

static bool is_symbol(const struct ic_verdict_draft *draft)
{
	return has_code(draft, false);
}

static bool is_left_out(const struct ic_verdict_draft *draft)
{
	return draft->item.verdict.left_out > 0;
}

static bool is_called(const struct ic_verdict_draft *draft)
{
	uint64_t calls = draft->item.verdict.calls;

	return calls > 0 && calls != IC_STATISTIC_NONE;
}

static bool was_inlined(const struct ic_verdict_draft *draft)
{
	const struct ic_verdict *verdict = &draft->item.verdict;

	return verdict->without_code > 0 || verdict->inlining == IC_INLINING_INLINED ||
	       verdict->inlining == IC_INLINING_DECLARED_INLINED;
}

static bool is_any(const struct ic_verdict_draft *draft)
{
	(void)draft;
	return true;
}

static const struct {
	bool (*holds)(const struct ic_verdict_draft *draft);
	enum ic_verdict_kind kind;
} rules[] = {
	// the first that applies
	{ is_partly, IC_VERDICT_PARTLY },
	{ is_fully, IC_VERDICT_FULLY },
	{ has_lost_copies, IC_VERDICT_NO_COPY_LEFT },
	{ is_described, IC_VERDICT_NEVER },
	{ is_resolver, IC_VERDICT_RESOLVER },
	{ is_alias, IC_VERDICT_ALIAS },
	{ is_symbol, IC_VERDICT_SYMBOL_ONLY },
	{ is_left_out, IC_VERDICT_LEFT_OUT },
	{ is_called, IC_VERDICT_DECLARED },
	{ was_inlined, IC_VERDICT_OPTIMISED_AWAY },
	{ is_any, IC_VERDICT_UNUSED },
};

enum ic_verdict_kind ic_verdict_judge(const struct ic_verdict_draft *draft)
{
	size_t rule = 0;

	while (!rules[rule].holds(draft))
		rule++;
	return rules[rule].kind;
}
