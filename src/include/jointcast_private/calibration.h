/* How trackers are mounted. Nobody can tell from a frame how a strapped-on tracker
 * lies on its limb; somebody who stands in a known pose shows it. Only ever done when
 * asked for: what is calibrated by itself bakes in how one happened to stand. */
#ifndef JC_PRIVATE_CALIBRATION_H
#define JC_PRIVATE_CALIBRATION_H

#include <stdbool.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"

/* Arms level to the sides, palms down, or hanging, palms to the thighs. */
enum jc_calibration_pose { JC_CALIBRATION_T, JC_CALIBRATION_I, JC_CALIBRATION_POSE_COUNT };

const char *jc_calibration_pose_name(enum jc_calibration_pose pose); /* "t", "i" */
int jc_calibration_pose_find(const char *name); /* enum jc_calibration_pose, or -1 */

#define JC_CALIBRATION_HEIGHT_LEAST 0.5f /* metres */
#define JC_CALIBRATION_HEIGHT_MOST  3.0f

/* From a tracker to the joint that it stands for, in the tracker's own axes. */
struct jc_calibration_mount {
	bool is_set;
	struct jc_quat rotation;
	struct jc_vec3 translation; /* metres */
};

/* Plain data. */
struct jc_calibration {
	enum jc_profile profile; /* of the frames that it is for */
	enum jc_calibration_pose pose;
	float height;
	struct jc_calibration_mount mounts[JC_JOINT_COUNT];
};

/* Compares a frame of somebody so tall, who stands in that pose, with the built-in
 * figure at that height, on the floor y = 0 where the person stands and turned the
 * way that left and right joints, else the head, say. Every joint there gets a mount
 * but those of a hand that has fingers, which is seen and not worn. A mount moves its
 * joint too, but for head and wrists: what those sit on tells where they are, and
 * arms differ.
 *
 * JC_ERROR_INVALID, and the reason for the person: whole bodies are not worn, nothing
 * shows where the person faces, a joint is over 0.2 times the height from where it
 * should be. */
int jc_calibration_compute(const struct jc_body_frame *frame, enum jc_profile profile,
	enum jc_calibration_pose pose, float height, struct jc_calibration *out_calibration,
	struct jc_diagnostic *diagnostic);

/* Trackers become joints, in place. A frame of another profile is another tracker's:
 * leave it alone. */
void jc_calibration_apply(const struct jc_calibration *calibration, struct jc_body_frame *frame);

/* Whether somebody stood still from one frame to the other: all joints of the first
 * are in the second, 5 cm and 15 degrees away at most. Else *out_joint is one that is
 * not. */
bool jc_calibration_is_still(const struct jc_body_frame *before, const struct jc_body_frame *after,
	enum jc_joint *out_joint);

struct json_t; /* jansson */
struct jc_json_place;

/* As a JSON object, a new reference, NULL for want of memory; and back: JC_ERROR_INVALID
 * with the diagnostic filled where the object is none. */
struct json_t *jc_calibration_pack(const struct jc_calibration *calibration);
int jc_calibration_unpack(const struct json_t *object, const struct jc_json_place *place,
	struct jc_calibration *out_calibration, struct jc_diagnostic *diagnostic);

#endif
