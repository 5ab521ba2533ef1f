// Writes a JSON Schema (draft 2020-12) of the rows of one kind, made from the schemas that the
// writers of JSON and CSV use. Usage: schemas KIND OUT
#include <stdio.h>
#include <string.h>

#include "report/rows/row.h"

static void write_fields(FILE *out, const struct ic_schema *schema);

static void write_items(FILE *out, const struct ic_schema *items, bool is_optional)
{
	fprintf(out, "{\"type\":%s,\"items\":", is_optional ? "[\"array\",\"null\"]" : "\"array\"");
	write_fields(out, items);
	putc('}', out);
}

static void write_field(FILE *out, const struct ic_field *field)
{
	static const char address[] = "^0x[0-9a-f]+$";

	switch (field->type) {
	case IC_FIELD_TEXT:
		fputs(strcmp(field->key, "type") == 0 ? "{\"type\":\"string\"}"
						      : "{\"type\":[\"string\",\"null\"]}",
		      out);
		break;
	case IC_FIELD_ADDRESS:
		fprintf(out, "{\"type\":[\"string\",\"null\"],\"pattern\":\"%s\"}", address);
		break;
	case IC_FIELD_OFFSET:
		fprintf(out, "{\"type\":\"string\",\"pattern\":\"%s\"}", address);
		break;
	case IC_FIELD_COUNT: fputs("{\"type\":[\"integer\",\"null\"],\"minimum\":1}", out); break;
	case IC_FIELD_NUMBER: fputs("{\"type\":\"integer\",\"minimum\":0}", out); break;
	case IC_FIELD_BYTES: fputs("{\"type\":[\"integer\",\"null\"],\"minimum\":0}", out); break;
	case IC_FIELD_SIGNED: fputs("{\"type\":[\"integer\",\"null\"]}", out); break;
	case IC_FIELD_FLAG: fputs("{\"type\":\"boolean\"}", out); break;
	case IC_FIELD_RANGES: // start, end, and the section if it is another one
		fprintf(out,
			"{\"type\":\"array\",\"items\":{\"type\":\"array\",\"minItems\":2,"
			"\"maxItems\":3,\"prefixItems\":[{\"type\":\"string\",\"pattern\":\"%s\"},"
			"{\"type\":\"string\",\"pattern\":\"%s\"},{\"type\":\"string\"}]}}",
			address, address);
		break;
	case IC_FIELD_LIST: write_items(out, field->items, false); break;
	case IC_FIELD_OPTIONAL_LIST: write_items(out, field->items, true); break;
	case IC_FIELD_OBJECT: write_fields(out, field->items); break;
	case IC_FIELD_NONE: fputs("{\"type\":\"null\"}", out); break;
	}
}

// An object with all of the fields and no others.
static void write_fields(FILE *out, const struct ic_schema *schema)
{
	fputs("{\"type\":\"object\",\"properties\":{", out);
	for (size_t i = 0; i < schema->field_count; i++) {
		fprintf(out, "%s\"%s\":", i > 0 ? "," : "", schema->fields[i].key);
		write_field(out, &schema->fields[i]);
	}
	fputs("},\"required\":[", out);
	for (size_t i = 0; i < schema->field_count; i++)
		fprintf(out, "%s\"%s\"", i > 0 ? "," : "", schema->fields[i].key);
	fputs("],\"additionalProperties\":false}", out);
}

static void write_schema(FILE *out, const char *name, const struct ic_row_type *type)
{
	fprintf(out,
		"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
		"\"$id\":\"urn:inlinecall:row:%s\",\"anyOf\":[\n",
		name);
	for (size_t i = 0; type->schemas[i]; i++) {
		write_fields(out, type->schemas[i]);
		fputs(",\n", out);
	}
	write_fields(out, &ic_limit_schema); // what a limit left out, after the rows of a file
	fputs("\n]}\n", out);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		const struct ic_row_type *type;
	} kinds[] = {
#define ROW(kind, name) { #name, &ic_##name##_row_type },
#include "report/rows/kinds.def"
#undef ROW
	};

	for (size_t i = 0; argc == 3 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		FILE *out = fopen(argv[2], "w");
		if (!out)
			break;
		write_schema(out, kinds[i].name, kinds[i].type);
		return fclose(out) == 0 ? 0 : 1;
	}
	fputs("usage: schemas KIND OUT\n", stderr);
	return 1;
}
