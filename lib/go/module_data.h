// What Go's runtime knows about a module, which is a program or a plugin (runtime.moduledata): a
// struct of words, beginning with the address of the table of functions. Needed from Go 1.18 on.
#ifndef GO_MODULE_DATA_H
#define GO_MODULE_DATA_H

#include "go/pclntab.h"

enum { IC_GO_MODULE_WORDS = 64 }; // words to read, each of the size of a pointer

// Whether the words are the module data of the table: they repeat where its parts are.
bool ic_go_module_is_of(const uint64_t words[IC_GO_MODULE_WORDS],
			const struct ic_go_pclntab *table);

// Sets the base of the functions' entries.
void ic_go_module_apply(const uint64_t words[IC_GO_MODULE_WORDS], struct ic_go_pclntab *table);

// The number of sections of code, and the address of their list, for a table whose layout has been
// chosen. Each has three words, as in struct ic_go_text. 0 if the list makes no sense.
uint32_t ic_go_module_texts(const uint64_t words[IC_GO_MODULE_WORDS],
			    const struct ic_go_pclntab *table, uint64_t *addr);

#endif
