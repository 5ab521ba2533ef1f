// Times of several rounds of something: the least and the median count.
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

enum { MOST_ROUNDS = 1000 };

struct samples { // in milliseconds
	double cpu[MOST_ROUNDS], wall[MOST_ROUNDS];
	int count;
};

void samples_start(struct samples *samples);
void samples_stop(struct samples *samples);

// The heading of the lines that samples_print() prints.
void samples_print_heading(void);
void samples_print(const char *what, struct samples *samples);

#endif
