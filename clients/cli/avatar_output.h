/* A motion in the file of an avatar, for `convert --avatar`. */
#ifndef JC_CLI_AVATAR_OUTPUT_H
#define JC_CLI_AVATAR_OUTPUT_H

#include "jointcast/fitting.h"

struct jc_avatar_output {
	const char *path;  /* of the avatar: glTF, GLB or VRM */
	size_t index;      /* of the humanoid in it */
	const char *bones; /* the file of its bone map, or NULL */
	const char *out;   /* the file to write */
	bool is_binary;    /* GLB instead of JSON */
	const struct jc_motion *motion;
	const struct jc_fitting_options *fitting;
	size_t frame_count;
	double frame_seconds; /* between two frames */
};

/* Writes the avatar's file with the motion as a further animation. Reports errors and losses and
 * returns enum jc_exit. */
int jc_avatar_output_write(const struct jc_avatar_output *output);

#endif
