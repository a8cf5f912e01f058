/* One interpolator of a scene for one joint: keys over the course of a motion with
 * rotations or translations. */
#ifndef JC_MOTION_HANIM_TRACK_H
#define JC_MOTION_HANIM_TRACK_H

#include "jointcast_private/hanim.h"

enum jc_hanim_path {
	JC_HANIM_ROTATION,
	JC_HANIM_TRANSLATION,
};

struct jc_hanim_track {
	int joint; /* index in joints of struct jc_hanim */
	enum jc_hanim_path path;
	size_t key_count;          /* at least one */
	float *keys;               /* owned: fractions of the motion, in ascending order */
	struct jc_quat *rotations; /* owned, one for each key; NULL for translations */
	struct jc_vec3 *translations;
};

/* Tracks of one motion. */
struct jc_hanim_tracks {
	size_t count, capacity;
	struct jc_hanim_track *items; /* owned */
	double duration;              /* seconds */
	size_t value_count; /* number of values in all tracks, at most JC_LIMIT_MOTION_VALUES */
};

void jc_hanim_track_finish(struct jc_hanim_track *track);

/* SFRotation: an axis of any length and an angle; an axis of length zero gives identity. */
struct jc_quat jc_hanim_track_axis_angle(const double v[4]);

/* Appends a track with memory for this many keys; the caller fills it. */
int jc_hanim_tracks_add(struct jc_hanim_tracks *tracks, int joint, enum jc_hanim_path path,
	size_t key_count, struct jc_hanim_track **out_track, struct jc_diagnostic *diagnostic);
void jc_hanim_tracks_finish(struct jc_hanim_tracks *tracks);

/* Appends the keys of an OrientationInterpolator or PositionInterpolator; adds nothing if
 * it has no keys. */
int jc_hanim_tracks_add_interpolator(struct jc_hanim_tracks *tracks, int joint,
	enum jc_hanim_path path, const struct jc_scene_node *interpolator,
	struct jc_diagnostic *diagnostic);

/* Sets the field of a joint at a fraction of the motion. The first and the last key
 * extend to all earlier and later times; between keys rotations take the short way
 * (ISO/IEC 14772-1, 4.6.8, 6.29 and 6.35). */
void jc_hanim_track_sample(
	const struct jc_hanim_track *track, double fraction, struct jc_transform *out_fields);

#endif
