#include "dwarf/constants.h"

// By code. The hole between the standard's forms and GNU's costs 23 KiB of pages that are never
// touched, which is less than a second table would cost its readers.
const struct ic_form_info ic_form_table[] = {
#define FORM(name, code, kind, size, class) \
	[code] = { IC_FORM_KIND_##kind, size, IC_FORM_CLASS_##class },
#include "dwarf/forms.def"
#undef FORM
};

const uint16_t ic_form_table_count = sizeof(ic_form_table) / sizeof(*ic_form_table);
