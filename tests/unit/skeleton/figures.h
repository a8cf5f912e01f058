/* Figures for the tests of this folder: random ones with all difficulties of real files,
 * and helpers for hand-made ones. */
#ifndef JC_TEST_FIGURES_H
#define JC_TEST_FIGURES_H

#include <stdint.h>

#include "jointcast/skeleton.h"

#define FIGURE_NODES 256

/* A description with memory for its nodes. */
struct figure {
	struct jc_skeleton_description description;
	struct jc_skeleton_node nodes[FIGURE_NODES];
};

/* Random values with a fixed seed: a number in -1..1, and a rotation. */
float figure_random(uint32_t *seed);
struct jc_quat figure_random_quat(uint32_t *seed);

/* Makes an empty figure; add nodes with figure_add and map them in description. */
void figure_init(struct figure *figure);
int figure_add(struct figure *figure, const char *name, int parent, struct jc_transform rest);

/* Makes a figure with random rest rotations and offsets, uniformly scaled and turned
 * ancestors, unmapped nodes between bones, missing bones, any facing, random corrections
 * and offsets, and node indices in random order. */
void figure_init_random(struct figure *figure, uint32_t *seed);

/* Makes the skeleton of a figure; fails the test if it is rejected. */
struct jc_skeleton *figure_make(const struct figure *figure);

#endif
