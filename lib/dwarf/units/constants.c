#include "dwarf/units/constants.h"

#include <stddef.h>

// Indexed by code. The gap between the standard's forms and GNU's takes up 23 KiB of untouched
// pages, which costs less than looking in a second table would.
const struct ic_form_info ic_form_table[] = {
#define FORM(name, code, kind, size, class) \
	[code] = { IC_FORM_KIND_##kind, size, IC_FORM_CLASS_##class },
#include "dwarf/units/forms.def"
#undef FORM
};

const uint16_t ic_form_table_count = sizeof(ic_form_table) / sizeof(*ic_form_table);

const char *ic_language_name(uint16_t language)
{
	switch (language) {
#define LANG(name, code) \
	case code:       \
		return #name;
#include "dwarf/units/languages.def"
#undef LANG
	}
	return NULL;
}
