/* Calibrates strapped-on trackers: computes the transform from each tracker to its joint while the
 * person stands in a known pose. Calibration starts only on request, because an automatic one would
 * store an arbitrary posture. */
#ifndef JC_PRIVATE_CALIBRATION_H
#define JC_PRIVATE_CALIBRATION_H

#include <stdbool.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"

/* T: arms level to the sides, palms down. I: arms hanging, palms to the thighs. */
enum jc_calibration_pose { JC_CALIBRATION_T, JC_CALIBRATION_I, JC_CALIBRATION_POSE_COUNT };

const char *jc_calibration_pose_name(enum jc_calibration_pose pose); /* "t", "i" */
int jc_calibration_pose_find(const char *name); /* enum jc_calibration_pose, or -1 */

#define JC_CALIBRATION_HEIGHT_LEAST 0.5f /* metres */
#define JC_CALIBRATION_HEIGHT_MOST  3.0f

#define JC_CALIBRATION_OFF_MOST 0.2f /* from a tracker to its joint, as a share of the height */

/* Transform from a tracker to its joint, in the tracker's axes. */
struct jc_calibration_mount {
	bool is_set;
	struct jc_quat rotation;
	struct jc_vec3 translation; /* metres */
};

/* Plain data. */
struct jc_calibration {
	enum jc_profile profile; /* of the frames to calibrate */
	enum jc_calibration_pose pose;
	float height; /* of the person, metres */
	struct jc_calibration_mount mounts[JC_JOINT_COUNT];
};

/* Gives the built-in skeleton, scaled to the height (metres), in the pose at the place of the
 * person in the frame: on the floor y = 0, and facing as given by left and right joints, else by
 * the head. JC_ERROR_INVALID with the reason for the person: nothing shows the facing. */
int jc_calibration_figure(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_calibration_pose pose, float height, struct jc_body_frame *out_figure,
	struct jc_diagnostic *diagnostic);

/* Computes the mounts from a frame of a person of that height (metres) in that pose. The frame is
 * compared with jc_calibration_figure. Every present joint gets a mount, except joints of hands
 * with fingers, which are tracked optically. A mount also translates its joint, except for head and
 * wrists, because their devices report their own position and arm lengths differ.
 *
 * JC_ERROR_INVALID with the reason for the person: the profile delivers whole bodies, the facing is
 * unknown, or a joint is more than 0.2 times the height away from its expected position. */
int jc_calibration_compute(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_calibration_pose pose, float height, struct jc_calibration *out_calibration,
	struct jc_diagnostic *diagnostic);

/* Applies the mounts to a frame in place. The frame must have the profile of the calibration. */
void jc_calibration_apply(const struct jc_calibration *calibration, struct jc_body_frame *frame);

/* Whether the person stood still between two frames: all joints of the first are in the second and
 * moved by at most 5 cm and 15 degrees. Otherwise *out_joint is a joint that moved or is absent. */
bool jc_calibration_is_still(const struct jc_body_frame *before, const struct jc_body_frame *after,
	enum jc_joint *out_joint);

struct json_t; /* jansson */
struct jc_json_place;

/* Convert to a JSON object (a new reference; NULL if memory is short) and back. JC_ERROR_INVALID
 * with a diagnostic if the object is not a calibration. */
struct json_t *jc_calibration_pack(const struct jc_calibration *calibration);
int jc_calibration_unpack(const struct json_t *object, const struct jc_json_place *place,
	struct jc_calibration *out_calibration, struct jc_diagnostic *diagnostic);

#endif
