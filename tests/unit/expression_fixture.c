#include "expression_fixture.h"

#include "dwarf/operation.h"
#include "unit_test.h"

void operations_note(struct operations_seen *seen, struct ic_bytes expression)
{
	const struct ic_dwarf dwarf = { .swap = SWAP_LITTLE };
	const struct ic_unit unit = {
		.dwarf = &dwarf, .version = 5, .addr_size = 8, .offset_size = 4
	};
	struct ic_expression walk = ic_expression_open(cursor_over(expression), &unit);
	struct ic_operation op;

	while (ic_expression_next(&walk, &op))
		seen->groups[op.group] = true;
}

void operations_check_all(const struct operations_seen *seen)
{
	for (unsigned code = 0; code <= UINT8_MAX; code++) {
		const struct ic_operation_info *info = ic_operation_info((uint8_t)code);
		bool is_first = code == 0 || ic_operation_info((uint8_t)(code - 1)) != info;
		if (info->name && is_first && !seen->groups[code])
			fail_msg("no case of DW_OP_%s", info->name);
	}
}
