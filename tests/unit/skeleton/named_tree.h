/* Joint trees given by names, and the bones that recognition finds in them. */
#ifndef JC_TEST_NAMED_TREE_H
#define JC_TEST_NAMED_TREE_H

#include "jointcast_private/recognition.h"

#define MAX_JOINTS 128

/* One joint for each name, parents first; the names are borrowed. */
struct named_tree {
	size_t count;
	const char *names[MAX_JOINTS];
	int parents[MAX_JOINTS];
	int bones[JC_BONE_COUNT];
	const char *family;
	size_t found; /* number of bones; 0 if there is no humanoid */
	float confidence;
};

void named_tree_add(struct named_tree *tree, const char *name, int parent);

/* The first joint with that name, or -1. */
int named_tree_joint(const struct named_tree *tree, const char *name);

/* Uses names only: joints have no positions. */
void named_tree_recognize(struct named_tree *tree);

/* Builds and recognises a tree from pairs of a name and its parent's name, ended by NULL. */
void named_tree_build(struct named_tree *tree, const char *const (*pairs)[2]);

/* Fails unless that joint is the bone; "" for no joint. */
void named_tree_assert_bone(const struct named_tree *tree, enum jc_bone bone, const char *name);

#endif
