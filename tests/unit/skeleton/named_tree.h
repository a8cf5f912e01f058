/* Hierarchies of names that tests write down, and what naming makes of them. */
#ifndef JC_TEST_NAMED_TREE_H
#define JC_TEST_NAMED_TREE_H

#include "jointcast_private/recognition.h"

#define MAX_JOINTS 128

/* One joint a name, parents first; the names are borrowed. */
struct named_tree {
	size_t count;
	const char *names[MAX_JOINTS];
	int parents[MAX_JOINTS];
	int bones[JC_BONE_COUNT];
	const char *family;
	size_t found; /* bones; 0 where there is no humanoid */
	float confidence;
};

void named_tree_add(struct named_tree *tree, const char *name, int parent);

/* The first joint of that name, or -1. */
int named_tree_joint(const struct named_tree *tree, const char *name);

/* By names alone: no joint has a position. */
void named_tree_recognize(struct named_tree *tree);

/* Pairs of name and parent's name, ended by NULL; recognised. */
void named_tree_build(struct named_tree *tree, const char *const (*pairs)[2]);

/* Fails unless that joint is the bone; "" for none. */
void named_tree_assert_bone(const struct named_tree *tree, enum jc_bone bone, const char *name);

#endif
