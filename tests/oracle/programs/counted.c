// A calculator with variables: lexing, parsing, a table of names, sorting, formatting. Small
// functions of the kinds that compilers inline, peel, unroll, split and thread jumps through.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	char *text;
	size_t size, capacity;
};

static void fail(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(1);
}

static void *grow(void *old, size_t size)
{
	void *grown = realloc(old, size);
	if (!grown) fail("memory");
	return grown;
}

static inline void reserve(struct buffer *buffer, size_t more)
{
	if (buffer->size + more <= buffer->capacity) return;
	buffer->capacity = (buffer->size + more) * 2;
	buffer->text = grow(buffer->text, buffer->capacity);
}

static inline void put(struct buffer *buffer, char c)
{
	reserve(buffer, 1);
	buffer->text[buffer->size++] = c;
}

static void put_text(struct buffer *buffer, const char *text)
{
	while (*text) put(buffer, *text++);
}

static void put_number(struct buffer *buffer, long value)
{
	char digits[24];
	int count = 0;
	if (value < 0) {
		put(buffer, '-');
		value = -value;
	}
	do {
		digits[count++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (count) put(buffer, digits[--count]);
}

static inline unsigned mix(unsigned hash, unsigned char c)
{
	return (hash ^ c) * 16777619u;
}

static unsigned hash_of(const char *name, size_t size)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < size; i++) hash = mix(hash, (unsigned char)name[i]);
	return hash;
}

struct variable {
	struct variable *next;
	char *name;
	long value;
	unsigned uses;
};

#define BUCKETS 16

struct table {
	struct variable *buckets[BUCKETS];
	size_t count;
};

static inline int same_name(const struct variable *variable, const char *name, size_t size)
{
	return strncmp(variable->name, name, size) == 0 && variable->name[size] == '\0';
}

static struct variable *find(struct table *table, const char *name, size_t size)
{
	struct variable *variable = table->buckets[hash_of(name, size) % BUCKETS];
	while (variable && !same_name(variable, name, size)) variable = variable->next;
	return variable;
}

static struct variable *add(struct table *table, const char *name, size_t size)
{
	struct variable **bucket = &table->buckets[hash_of(name, size) % BUCKETS];
	struct variable *variable = grow(NULL, sizeof *variable);
	*variable = (struct variable){.next = *bucket, .name = grow(NULL, size + 1)};
	memcpy(variable->name, name, size);
	variable->name[size] = '\0';
	*bucket = variable;
	table->count++;
	return variable;
}

static inline struct variable *find_or_add(struct table *table, const char *name, size_t size)
{
	struct variable *variable = find(table, name, size);
	return variable ? variable : add(table, name, size);
}

static inline long value_of(const struct variable *variable)
{
	return variable ? variable->value : 0;
}

enum kind { END, NUMBER, NAME, SIGN, WRONG };

struct lexer {
	const char *at;
	enum kind kind;
	const char *start;
	size_t size;
	long number;
	int errors;
};

static inline int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline void skip_blanks(struct lexer *lexer)
{
	while (*lexer->at == ' ' || *lexer->at == '\t') lexer->at++;
}

static void lex_number(struct lexer *lexer)
{
	lexer->kind = NUMBER;
	lexer->number = 0;
	for (; is_digit(*lexer->at); lexer->at++) lexer->number = lexer->number * 10 + (*lexer->at - '0');
}

static void lex_name(struct lexer *lexer)
{
	lexer->kind = NAME;
	while (is_letter(*lexer->at) || is_digit(*lexer->at)) lexer->at++;
}

static void advance(struct lexer *lexer)
{
	skip_blanks(lexer);
	lexer->start = lexer->at;
	char c = *lexer->at;
	if (c == '\0') {
		lexer->kind = END;
	} else if (is_digit(c)) {
		lex_number(lexer);
	} else if (is_letter(c)) {
		lex_name(lexer);
	} else {
		lexer->kind = strchr("+-*/%()=<>!", c) ? SIGN : WRONG;
		lexer->at++;
	}
	lexer->size = (size_t)(lexer->at - lexer->start);
}

static inline int is_sign(const struct lexer *lexer, char sign)
{
	return lexer->kind == SIGN && *lexer->start == sign;
}

static inline int accept(struct lexer *lexer, char sign)
{
	if (!is_sign(lexer, sign)) return 0;
	advance(lexer);
	return 1;
}

static inline void expect(struct lexer *lexer, char sign)
{
	if (!accept(lexer, sign)) lexer->errors++;
}

static long parse_sum(struct lexer *lexer, struct table *table);

static inline long absolute(long value)
{
	return value < 0 ? -value : value;
}

static inline long divided(long left, long right, int *errors)
{
	if (right == 0) {
		++*errors;
		return 0;
	}
	return left / right;
}

static long parse_atom(struct lexer *lexer, struct table *table)
{
	long value = 0;
	if (accept(lexer, '-')) return -parse_atom(lexer, table);
	if (accept(lexer, '!')) return absolute(parse_atom(lexer, table));
	if (accept(lexer, '(')) {
		value = parse_sum(lexer, table);
		expect(lexer, ')');
	} else if (lexer->kind == NUMBER) {
		value = lexer->number;
		advance(lexer);
	} else if (lexer->kind == NAME) {
		struct variable *variable = find(table, lexer->start, lexer->size);
		value = value_of(variable);
		if (variable) variable->uses++;
		advance(lexer);
	} else {
		lexer->errors++;
		advance(lexer);
	}
	return value;
}

static long parse_product(struct lexer *lexer, struct table *table)
{
	long value = parse_atom(lexer, table);
	for (;;) {
		if (accept(lexer, '*')) {
			value *= parse_atom(lexer, table);
		} else if (accept(lexer, '/')) {
			value = divided(value, parse_atom(lexer, table), &lexer->errors);
		} else if (accept(lexer, '%')) {
			long right = parse_atom(lexer, table);
			value -= divided(value, right, &lexer->errors) * right;
		} else {
			return value;
		}
	}
}

static long parse_sum(struct lexer *lexer, struct table *table)
{
	long value = parse_product(lexer, table);
	for (;;) {
		if (accept(lexer, '+')) {
			value += parse_product(lexer, table);
		} else if (accept(lexer, '-')) {
			value -= parse_product(lexer, table);
		} else {
			return value;
		}
	}
}

static int run_line(const char *line, struct table *table, struct buffer *out)
{
	struct lexer lexer = {.at = line};
	advance(&lexer);
	if (lexer.kind == NAME) {
		struct lexer ahead = lexer;
		advance(&ahead);
		if (accept(&ahead, '=')) {
			long value = parse_sum(&ahead, table);
			find_or_add(table, lexer.start, lexer.size)->value = value;
			return ahead.errors;
		}
	}
	put_number(out, parse_sum(&lexer, table));
	put(out, '\n');
	return lexer.errors + (lexer.kind != END);
}

static inline int compare_uses(const struct variable *a, const struct variable *b)
{
	return a->uses != b->uses ? (a->uses < b->uses ? 1 : -1) : strcmp(a->name, b->name);
}

static int compare_pointers(const void *a, const void *b)
{
	return compare_uses(*(struct variable *const *)a, *(struct variable *const *)b);
}

static inline void exchange(long *a, long *b)
{
	long old = *a;
	*a = *b;
	*b = old;
}

static void sort_numbers(long *numbers, int count)
{
	for (int i = 1; i < count; i++) {
		for (int j = i; j > 0 && numbers[j - 1] > numbers[j]; j--) {
			exchange(&numbers[j - 1], &numbers[j]);
		}
	}
}

static inline long weigh(long value, int place)
{
	return value * (place + 1);
}

static long weigh_four(const long *values)
{
	long sum = 0;
	for (int i = 0; i < 4; i++) sum += weigh(values[i], i);
	return sum;
}

static long greatest_divisor(long a, long b)
{
	return b == 0 ? a : greatest_divisor(b, a % b);
}

static inline unsigned step(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

static void list_variables(struct table *table, struct buffer *out)
{
	struct variable **all = grow(NULL, (table->count + 1) * sizeof *all);
	size_t count = 0;
	for (int i = 0; i < BUCKETS; i++) {
		for (struct variable *each = table->buckets[i]; each; each = each->next) all[count++] = each;
	}
	qsort(all, count, sizeof *all, compare_pointers);
	for (size_t i = 0; i < count; i++) {
		put_text(out, all[i]->name);
		put(out, '=');
		put_number(out, all[i]->value);
		put(out, '\n');
	}
	free(all);
}

static inline void release(struct variable *variable)
{
	free(variable->name);
	free(variable);
}

static void clear(struct table *table)
{
	for (int i = 0; i < BUCKETS; i++) {
		while (table->buckets[i]) {
			struct variable *first = table->buckets[i];
			table->buckets[i] = first->next;
			release(first);
		}
	}
}

static const char *const lines[] = {
	"one = 1", "two = one + one", "three=two+one", "1 + 2 * 3", "(1 + 2) * 3 - -4", "x = two * (three + 4)",
	"x / two % 3", "x * x * x", "!(3 - 10)", "y = x / 0", "long_name_9 = x - 100", "long_name_9", "unknown + 1",
	"2 +", "(3", "7 $ 2", "x = x + 1", "x", "a = b = c", "((((((1))))))", "- - - 5", "100000 * 100000"};

int main(void)
{
	struct table table = {.count = 0};
	struct buffer out = {.text = NULL};
	long numbers[40];
	unsigned state = 7;
	int errors = 0;
	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
			errors += run_line(lines[i], &table, &out);
		}
	}
	for (int i = 0; i < 40; i++) numbers[i] = (long)(step(&state) % 1000);
	sort_numbers(numbers, 40);
	for (int i = 0; i + 4 <= 40; i += 3) put_number(&out, weigh_four(numbers + i));
	for (int i = 1; i < 40; i++) put_number(&out, greatest_divisor(numbers[i], numbers[i - 1]));
	list_variables(&table, &out);
	put_text(&out, "errors ");
	put_number(&out, errors);
	put(&out, '\n');
	clear(&table);
	fwrite(out.text, 1, out.size, stdout);
	free(out.text);
	return 0;
}
