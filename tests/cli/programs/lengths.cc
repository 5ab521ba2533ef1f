// Calls functions with strings, and prints what they received: the name of the function, then the
// bytes of each string in hexadecimal. With an argument, sleeps in the second call.
#include <cstdio>
#include <string>
#include <string_view>
#include <unistd.h>

static bool sleeps;

struct request {
	int number;
	std::string name;
	std::string_view path;
};

static void print(const char *function, std::initializer_list<std::string_view> strings)
{
	fprintf(stderr, "%s", function);
	for (std::string_view string : strings) {
		fprintf(stderr, " =");
		for (unsigned char byte : string)
			fprintf(stderr, "%02x", byte);
	}
	fprintf(stderr, "\n");
}

__attribute__((noinline)) void plain(std::string value, const std::string &reference,
				     std::string *pointer, std::string_view view)
{
	print("plain", { value, reference, *pointer, view });
	if (sleeps && view == "short")
		pause();
}

static inline __attribute__((always_inline)) void inner(const request &of, std::string_view view)
{
	print("inner", { of.name, of.path, view });
}

__attribute__((noinline)) void outer(const request *of, std::string_view view)
{
	inner(*of, view);
}

int main(int argc, char **)
{
	sleeps = argc > 1;
	const std::string strings[] = { "", "short", "a \"quoted\" and \\escaped\n one of more bytes",
					"gr\xc3\xbc\xc3\x9f", std::string(128, 'x'),
					std::string(129, 'y'), std::string(5000, 'z') };

	for (const std::string &string : strings) {
		std::string copy = string;
		plain(string, copy, &copy, string);
		outer(new request{ 1, string, string }, string);
	}
	std::string with_nul("ab\0cd", 5);
	plain(with_nul, with_nul, &with_nul, std::string_view());
}
