/* Figures for the tests of this room: random ones that have everything that
 * goes wrong in practice, and what they need to be made by hand. */
#ifndef JC_TEST_FIGURES_H
#define JC_TEST_FIGURES_H

#include <stdint.h>

#include "jointcast/skeleton.h"

#define FIGURE_NODES 256

/* A description with room for its nodes. */
struct figure {
	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[FIGURE_NODES];
};

/* -1..1, and a rotation, from a generator with a fixed seed. */
float figure_random(uint32_t *seed);
struct jc_quat figure_random_quat(uint32_t *seed);

/* An empty figure; nodes are added with figure_add and mapped in description. */
void figure_init(struct figure *figure);
int figure_add(struct figure *figure, const char *name, int parent, struct jc_transform rest);

/* Random rest rotations and offsets, uniformly scaled and turned ancestors,
 * unmapped nodes between bones, missing bones, any facing, random corrections and offsets,
 * node indices in no order. */
void figure_init_random(struct figure *figure, uint32_t *seed);

/* The skeleton of a figure; fails the test when it is refused. */
struct jc_skeleton *figure_make(const struct figure *figure);

#endif
