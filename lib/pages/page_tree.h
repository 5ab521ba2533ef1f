// The tree of a page: its largest boxes, and what is below each of them added up.
#ifndef PAGES_PAGE_TREE_H
#define PAGES_PAGE_TREE_H

#include "pages/page.h"

struct ic_page_node {
	uint32_t depth;    // at most one more than that of the node before
	uint32_t function; // the caller's number, or IC_NONE
	int64_t text;      // if there is no function, the number of what it is called
	unsigned flags;    // enum ic_page_flag
	uint64_t self, total;
	uint64_t small; // of the total, what is right below it and not there
	bool is_there;
};

struct ic_page_tree {                        // zero-initialised is empty
	IC_ARRAY(struct ic_page_node) nodes; // in the order in which a tree is walked
	uint32_t left_out;                   // that are not there
	uint64_t small;                      // of trees that are not there at all
};

// Adds a node, without its total. False if memory runs out.
bool ic_page_tree_add(struct ic_page_tree *tree, const struct ic_page_node *node) IC_CHECKED;

// Chooses the 50,000 nodes with the largest totals, and with each what it is below. False if memory
// is out.
bool ic_page_tree_choose(struct ic_page_tree *tree) IC_CHECKED;

// Writes the nodes that were chosen; `places` has the number of each function in the page.
void ic_page_tree_write(const struct ic_page_tree *tree, const uint32_t *places,
			struct ic_page_text *texts, struct ic_output *output);

void ic_page_tree_free(struct ic_page_tree *tree);

#endif
