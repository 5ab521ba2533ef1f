#include "trace_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool is_letter(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
	       character == '_' || (unsigned char)character >= 0x80;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

// The end of the name at a text, and of the members behind it.
static const char *skip_name(const char *text, const char **members)
{
	while (is_letter(*text) || is_digit(*text) || *text == ':')
		text++;
	*members = text;
	for (;;) {
		if (is_letter(*text) || is_digit(*text) || (*text && strchr(".[]", *text)))
			text++;
		else if (text[0] == '-' && text[1] == '>')
			text += 2;
		else
			return text;
	}
}

// Adds "a.b" of "p->a.b" to what is asked for. False if memory is out.
static bool add_member(char **kept, const char **members, const char *text, size_t size)
{
	size_t sign = *text == '.' ? 1 : *text == '-' ? 2 : 0;
	char *joined;

	if (asprintf(&joined, "%s%s%.*s", *members ? *members : "", *members ? "," : "",
		     (int)(size - sign), text + sign) < 0) {
		cli_complain("out of memory");
		return false;
	}
	free(*kept);
	*members = *kept = joined;
	return true;
}

bool cli_trace_members_add(char **kept, const char **members, const char *text)
{
	const char *named, *end;

	while (text && *text) {
		if (*text == '"' || *text == '\'') {
			end = strchr(text + 1, *text);
			text = end ? end + 1 : text + 1;
		} else if (is_letter(*text)) {
			text = skip_name(text, &named);
			if (text > named &&
			    !add_member(kept, members, named, (size_t)(text - named)))
				return false;
		} else {
			text += is_digit(*text) ? strspn(text, "0123456789.abcdefxABCDEFX") : 1;
		}
	}
	return true;
}
