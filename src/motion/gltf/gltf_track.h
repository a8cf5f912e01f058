/* One animation sampler of a glTF file (3.11): keys over time and their interpolation. */
#ifndef JC_MOTION_GLTF_TRACK_H
#define JC_MOTION_GLTF_TRACK_H

#include "jointcast/gltf.h"
#include "jointcast_private/json.h"

enum jc_gltf_path {
	JC_GLTF_TRANSLATION,
	JC_GLTF_ROTATION,
	JC_GLTF_SCALE,
};

#define JC_GLTF_PATHS 3 /* how many there are */

enum jc_gltf_interpolation {
	JC_GLTF_LINEAR,
	JC_GLTF_STEP,
	JC_GLTF_CUBICSPLINE,
};

struct jc_gltf_track {
	enum jc_gltf_path path;
	enum jc_gltf_interpolation interpolation;
	size_t key_count;   /* at least one */
	const float *times; /* owned, strictly increasing */
	const float
		*values; /* owned; three for each key (in-tangent, value, out-tangent) if cubic */
};

const char *jc_gltf_path_name(enum jc_gltf_path path); /* "rotation" … */
size_t jc_gltf_path_width(enum jc_gltf_path path);     /* numbers of one value: 3 or 4 */

/* The property of a transform, as many numbers as its width. */
void jc_gltf_path_values(
	const struct jc_transform *transform, enum jc_gltf_path path, float *out_values);

/* Reads animations[…].samplers[…] at the JSON path `place`. *budget is the number of
 * values that may still be read for the motion; it is reduced by what is read. */
int jc_gltf_track_read(const struct jc_gltf *gltf, const struct json_t *sampler,
	const struct jc_json_place *place, enum jc_gltf_path path, size_t *budget,
	struct jc_gltf_track *out_track, struct jc_diagnostic *diagnostic);
void jc_gltf_track_finish(struct jc_gltf_track *track);

/* Samples a vector (three values) or unit quaternion (four) at t seconds. The first and
 * the last key extend to all earlier and later times (3.11). */
void jc_gltf_track_sample(const struct jc_gltf_track *track, double t, float *out_value);

/* Puts a sampled value into a transform. */
void jc_gltf_track_apply(struct jc_transform *local, enum jc_gltf_path path, const float *value);

#endif
