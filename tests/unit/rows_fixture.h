// Rows of every kind, of an object file that is made by hand: outer() with mid() and leaf() in it,
// and a part of mid() in a section of its own; leaf() by itself, and calls of it.
#ifndef TESTS_UNIT_ROWS_FIXTURE_H
#define TESTS_UNIT_ROWS_FIXTURE_H

#include <inlinecall/rows.h>

// DIEs of inlined copies.
enum { ROWS_MID_DIE = 0x190, ROWS_LEAF_DIE = 0x1a0 };

struct subject { // what rows are made from; the selections may be NULL
	enum ic_rows_kind kind;
	struct ic_sites *sites;
	struct ic_counts *counts;
	struct ic_trees *trees;
	struct ic_statistics *statistics;
	struct ic_verdicts *verdicts;
};

struct subject subject_find(enum ic_rows_kind kind);
void subject_free(struct subject *subject);

// All rows of the subject; NULL if ic_rows_of_sites() returns that.
struct ic_rows *subject_try_rows(const struct subject *subject,
				 const struct ic_row_options *options, struct ic_error *err);
// The same, which must not fail.
struct ic_rows *subject_rows(const struct subject *subject, const struct ic_row_options *options);

#endif
