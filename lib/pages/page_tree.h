// The tree of a page: its largest nodes, with the sums of those left out below each.
#ifndef PAGES_PAGE_TREE_H
#define PAGES_PAGE_TREE_H

#include "pages/page.h"

struct ic_page_node {
	uint32_t depth;    // at most one more than that of the previous node
	uint32_t function; // the caller's number; IC_NONE for none
	int64_t text;      // number of the label, if there is no function
	unsigned flags;    // enum ic_page_flag
	uint64_t self, total;
	uint64_t small; // part of the total that is in children that are left out
	bool is_there;
};

struct ic_page_tree {                        // empty if zero-initialised
	IC_ARRAY(struct ic_page_node) nodes; // in the order of a depth-first walk
	uint32_t left_out;                   // number of nodes left out
	uint64_t small;                      // total of the trees left out completely
};

// Adds a node, without its total. Returns false if memory runs out.
bool ic_page_tree_add(struct ic_page_tree *tree, const struct ic_page_node *node) IC_CHECKED;

// Chooses the 50,000 nodes with the largest totals, and with each of them its ancestors. Returns
// false if memory runs out.
bool ic_page_tree_choose(struct ic_page_tree *tree) IC_CHECKED;

// Writes the chosen nodes; `places` is the number of each function in the page.
void ic_page_tree_write(const struct ic_page_tree *tree, const uint32_t *places,
			struct ic_page_text *texts, struct ic_output *output);

void ic_page_tree_free(struct ic_page_tree *tree);

#endif
