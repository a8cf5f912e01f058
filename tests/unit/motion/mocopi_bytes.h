/* Writes mocopi packets for tests, from the description of the format alone. */
#ifndef JC_MOCOPI_BYTES_H
#define JC_MOCOPI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOCOPI_JOINTS 27

struct mocopi_figure {
	int parents[MOCOPI_JOINTS];
	float rotations[MOCOPI_JOINTS][4]; /* x, y, z, w */
	float positions[MOCOPI_JOINTS][3]; /* metres */
};

extern const char *const mocopi_names[MOCOPI_JOINTS];

/* A person of 1.7 m in the T-pose, made up for tests. */
void mocopi_figure_init(struct mocopi_figure *figure);

/* The mirror image in the plane x = 0: Unity's left-handed axes. */
void mocopi_figure_mirror(struct mocopi_figure *figure);

/* Each returns the length of the packet, at most 2048 bytes. */
size_t mocopi_write_skeleton(const struct mocopi_figure *figure, uint8_t *out_bytes);
/* unix_time: of the field uttm, which apps have sent since 2023-12; 0: without it. */
size_t mocopi_write_frame(
	const struct mocopi_figure *figure, uint32_t number, double unix_time, uint8_t *out_bytes);

#endif
