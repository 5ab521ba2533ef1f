// Qualified names of the functions in frames, for ic_frame::display_name.
#include "symbolize/symbolizer.h"

// The name of a function without a mangled one, qualified by its scopes. NULL if it is in none, or
// memory runs out, which becomes a problem.
static const char *qualify_name(struct ic_symbolizer *symbolizer,
				const struct ic_function *function)
{
	struct ic_symbolizer_display *display = &symbolizer->display;
	char text[IC_LONGEST_NAME];
	struct ic_error err;

	if (!ic_function_scopes_find(&display->scopes, &symbolizer->units.scan, function,
				     &symbolizer->problems, &err)) {
		symbolizer->problems.out_of_memory = true;
		return NULL;
	}
	if (display->scopes.list.count == 0)
		return NULL;
	ic_name_qualify(display->scopes.list.items, 0, function->name, text, sizeof(text));
	return ic_names_keep(&display->names, text);
}

static const char *name_of(struct ic_symbolizer *symbolizer, const struct ic_function *function)
{
	struct ic_names *names = &symbolizer->display.names;
	const char *linkage_name = function->linkage_name;

	if (linkage_name) {
		const char *demangled = ic_names_demangled(names, linkage_name);
		if (demangled != linkage_name || !function->name)
			return demangled;
	}
	bool is_listed = atomic_load_explicit(&symbolizer->units.all, memory_order_relaxed) != NULL;
	if (!function->name || !is_listed || symbolizer->index.inline_table)
		return function->name;
	const char **slot = ic_names_slot(names, function);
	if (!slot || *slot)
		return slot ? *slot : function->name;
	const char *made = qualify_name(symbolizer, function);
	return *slot = made ? made : function->name;
}

void ic_symbolizer_name_frames(struct ic_symbolizer *symbolizer, const struct ic_unit_model *model,
			       uint32_t instance, struct ic_frame *frames, size_t count)
{
	struct ic_names *names = &symbolizer->display.names;

	pthread_mutex_lock(&symbolizer->lock);
	for (size_t i = 0; i < count; i++) {
		const struct ic_instance *at = instance == IC_NONE ? NULL
								   : &model->instances[instance];
		if (frames[i].is_symbol)
			frames[i].display_name = ic_names_demangled(names, frames[i].function);
		else if (at && at->function != IC_NONE)
			frames[i].display_name =
				name_of(symbolizer, &model->functions[at->function]);
		instance = at ? at->parent : IC_NONE;
	}
	symbolizer->problems.out_of_memory |= names->out_of_memory;
	pthread_mutex_unlock(&symbolizer->lock);
}
