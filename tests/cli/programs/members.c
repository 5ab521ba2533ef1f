// Prints members of the arguments of each call of an inlined function, for traces to find the same.
#include <stdio.h>

struct point {
	short x, y;
};

struct pair {
	int first;
	unsigned second;
};

enum color { RED, GREEN = 5 };

struct node {
	struct node *next;
	unsigned flag : 1;
	int small : 5;
	unsigned long wide : 40;
	union {
		long whole;
		struct point at;
	};
	const struct pair pair;
	const struct pair *other;
	char name[8];
	signed char letters[4];
	short three[3];
	unsigned many[6];
	double reals[2];
	int grid[2][2];
	enum color color;
	double ratio;
	_Bool is_last;
};

volatile long sink;

static inline __attribute__((always_inline)) void use(const struct node *node, const int *number,
						      struct pair pair)
{
	fprintf(stderr, "node->next->small=%d\tnode->flag=%u\tnode->small=%d\tnode->wide=%lu\t",
		node->next->small, node->flag, node->small, (unsigned long)node->wide);
	fprintf(stderr,
		"node->whole=%ld\tnode->at.y=%d\tnode->pair.second=%u\tnode->other->first=%d\t",
		node->whole, node->at.y, node->pair.second, node->other->first);
	fprintf(stderr,
		"node->name=\"%.8s\"\tnode->letters[3]=%d\tnode->color=%s\tnode->ratio=%g\t",
		node->name, node->letters[3], node->color == RED ? "RED" : "GREEN", node->ratio);
	fprintf(stderr, "node->three={%d, %d, %d}\tnode->many={%u, %u, %u, %u...}\t",
		node->three[0], node->three[1], node->three[2], node->many[0], node->many[1],
		node->many[2], node->many[3]);
	fprintf(stderr, "node->reals={%g, %g}\tnode->next->many[5]=%u\t", node->reals[0],
		node->reals[1], node->next->many[5]);
	fprintf(stderr, "node->is_last=%s\tnumber[1]=%d\tpair.first=%d\tpair.second=%u\n",
		node->is_last ? "true" : "false", number[1], pair.first, pair.second);
	sink += pair.first;
}

__attribute__((noipa)) void in_registers(const struct node *node, const int *number,
					 struct pair pair)
{
	use(node, number, pair);
}

__attribute__((noipa)) void on_the_stack(const struct node *node, long count)
{
	struct pair pair = { (int)count, (unsigned)-count };
	int numbers[2] = { 3, (int)count };

	__asm__ volatile("" : : "r"(&pair), "r"(numbers) : "memory");
	use(node, numbers, pair);
	__asm__ volatile("" : : "r"(&pair), "r"(numbers) : "memory");
}

int main(void)
{
	const struct pair other = { -7, 7 };
	const int numbers[] = { 1, 2 };

	for (int i = 0; i < 6; i++) {
		struct node last = { .small = -i, .other = &other, .is_last = 1 };
		last.many[5] = (unsigned)-i;
		struct node node = { .next = &last,
				     .flag = (unsigned)i & 1,
				     .small = i - 3,
				     .wide = 0xfe00000000 + (unsigned)i,
				     .whole = -1000000L * i,
				     .pair = { i, ~(unsigned)i },
				     .other = &other,
				     .name = { 'n', 'a', (char)('a' + i) },
				     .three = { (short)-i, 2, -3 },
				     .many = { (unsigned)i, ~0u, 7, 8, 9, 10 },
				     .reals = { i / 8.0, -1 },
				     .grid = { { 1, 2 }, { 3, 4 } },
				     .letters = { 0, 0, 0, (signed char)-i },
				     .color = i < 3 ? RED : GREEN,
				     .ratio = i / 4.0 };
		for (int j = 0; i == 5 && j < 8; j++)
			node.name[j] = (char)('0' + j); // without a NUL
		in_registers(&node, numbers, node.pair);
		on_the_stack(&node, i);
	}
	return 0;
}
