// Calls functions with strings, and prints what they received: the name of the function, then the
// bytes of each string in hexadecimal. With an argument, sleeps in the second call.
#include <cstdio>
#include <string>
#include <string_view>
#include <sys/mman.h>
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

// What is behind the string cannot be read.
__attribute__((noinline)) void ends(std::string_view last)
{
	print("ends", { last });
}

static inline __attribute__((always_inline)) void literal(std::string_view text)
{
	print("literal", { text });
}

typedef const std::string &str;

__attribute__((noinline)) void many(str s0, str s1, str s2, str s3, str s4, str s5, str s6, str s7,
				    str s8, str s9, str s10, str s11, str s12, str s13, str s14,
				    str s15, str s16, str s17, str s18, str s19, str s20, str s21)
{
	print("many", { s0,  s1,  s2,	s3,  s4,  s5,  s6,  s7,	 s8,  s9,  s10,
			s11, s12, s13, s14, s15, s16, s17, s18, s19, s20, s21 });
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

	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = (char *)mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(pages + page, page, PROT_NONE);
	for (size_t size = 1; size < 100; size *= 3) {
		pages[page - size] = (char)('a' + size % 26);
		ends(std::string_view(pages + page - size, size));
	}
	literal("constant");
	many("s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13",
	     "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21");
}
