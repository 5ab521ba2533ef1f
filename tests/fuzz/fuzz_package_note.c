// Fuzzes the note of the package that a file is from: an object in JSON.
// Wanted: names that end, within their size; what json-c reads from the same text.
#include <json-c/json.h>
#include <string.h>

#include "elf/image/package_note.h"
#include "fuzz_input.h"

// What json-c has of a member: NULL if it is no text.
static const char *member(struct json_object *object, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(object, key, &value) &&
			       json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : NULL;
}

// Escape sequences that no package has in its name are read as question marks.
static struct json_object *parse(const uint8_t *data, size_t size)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object = NULL;

	if (size > 0 && !memchr(data, '\\', size) && !memchr(data, 0, size)) {
		json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
		object = json_tokener_parse_ex(tokener, (const char *)data, (int)size);
	}
	json_tokener_free(tokener);
	return object;
}

static void check_text(const char *text, size_t size, const char *wanted)
{
	PROMISE(memchr(text, 0, size));
	PROMISE(strncmp(text, wanted ? wanted : "", size - 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ic_image_package package;
	struct json_object *object = parse(data, size);

	memset(&package, 'x', sizeof(package));
	bool ok = ic_package_note_read((struct ic_bytes){ data, size }, &package);
	PROMISE(memchr(package.name, 0, sizeof(package.name)));
	PROMISE(memchr(package.version, 0, sizeof(package.version)));
	PROMISE(!ok || package.name[0]);
	if (json_object_is_type(object, json_type_object)) {
		const char *name = member(object, "name");
		PROMISE(ok == (name && *name));
		check_text(package.name, sizeof(package.name), name);
		check_text(package.version, sizeof(package.version), member(object, "version"));
	}
	json_object_put(object);
	return 0;
}
