#include "go/module_data.h"

enum word { // words of the module data, the same in all releases whose entries are offsets from the
	    // text
	WORD_HEADER = 0,
	WORD_NAMES = 1,
	WORD_VALUES = 10,
	WORD_LIST = 16, // of functions; followed by their number plus one, for the end
	WORD_TEXT = 22,
};

enum { MOST_TEXTS = 1 << 16 };

static uint64_t addr_of(const struct ic_go_pclntab *table, struct ic_bytes part)
{
	return table->addr + (uint64_t)(part.data - table->bytes.data);
}

bool ic_go_module_is_of(const uint64_t words[IC_GO_MODULE_WORDS], const struct ic_go_pclntab *table)
{
	return table->format >= IC_GO_FORMAT_18 && words[WORD_HEADER] == table->addr &&
	       words[WORD_NAMES] == addr_of(table, table->names) &&
	       words[WORD_VALUES] == addr_of(table, table->values) &&
	       words[WORD_LIST] == addr_of(table, table->functions) &&
	       words[WORD_LIST + 1] == table->function_count + 1ull;
}

void ic_go_module_apply(const uint64_t words[IC_GO_MODULE_WORDS], struct ic_go_pclntab *table)
{
	table->text = words[WORD_TEXT];
}

// The list follows gofunc, with one more word between them from Go 1.26 on. Like every slice, it is
// an address, a length and a capacity, here equal.
uint32_t ic_go_module_texts(const uint64_t words[IC_GO_MODULE_WORDS],
			    const struct ic_go_pclntab *table, uint64_t *addr)
{
	unsigned first = table->layout->gofunc + 1u;

	for (unsigned i = first; i < first + 2; i++) {
		if (words[i + 1] == 0 || words[i + 1] > MOST_TEXTS || words[i + 1] != words[i + 2])
			continue;
		*addr = words[i];
		return (uint32_t)words[i + 1];
	}
	return 0;
}
