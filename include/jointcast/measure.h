/* Measures the quality of a retargeted motion: compares the source's own figure with the target
 * figure, frame by frame.
 *
 * Positions are in canonical axes, metres; h is a figure's hips height, H its
 * total height (the head joint over the floor in the T-pose), dt the time between two frames. Feet
 * are four points, the foot and toe joint of either side, and stand on the ground where they do in
 * the T-pose.
 *
 *   contact      A foot point touches the ground in a frame when it is at most
 *                0.03 h above where it stands in the T-pose and has moved, since
 *                the frame before, at no more than 0.5 h a second. Height and
 *                speed together are the field's usual test; 0.03 h of an adult are
 *                2.8 cm, near the 2.5 cm of Zhang et al., "Mode-adaptive neural
 *                networks for quadruped motion control", 2018.
 *   contact F1   2 TP / (2 TP + FP + FN) over all frames and foot points, contacts
 *                of the source being the truth.
 *   foot skate   How far a foot point moves along the ground from one frame to the
 *                next, in cm, on average over the frames in which the source's is
 *                in contact and should not move (the measure of Zhang et
 *                al., unweighted).
 *   penetration  How far the lower point of a foot, toes or else foot, is under
 *                where it stands in the T-pose: the deeper foot of a frame, mean
 *                and most over all frames, in mm.
 *   body below floor
 *                How far the lowest joint of the body without feet and toes is under the
 *                floor (jc_skeleton_floor): mean and most over all frames, in mm. Also
 *                of a figure that stands on its head or lies below the floor, whose feet
 *                are above it.
 *   end-effector error
 *                |p / H - p' / H'| of head, hands and feet relative to the hips, on
 *                average (position error by height: Aberman et al.,
 *                "Skeleton-aware networks for deep motion retargeting", 2020).
 *   jerk         |third difference of p| / dt^3 / h of the same joints, on average,
 *                1/s^3 (smoothness: Flash and Hogan, "The coordination of arm
 *                movements", 1985). The ratio to the source's is 1 where nothing
 *                was made rougher or smoother.
 *   limits       Joints past the limits of their skeleton (JC_LIMITS_COUNTED).
 *   sign flips   Local rotations whose quaternion lies on the other side of the
 *                sphere than in the frame before. */
#ifndef JOINTCAST_MEASURE_H
#define JOINTCAST_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "fitting.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The joints that are measured. */
enum jc_measure_point {
	JC_MEASURE_HIPS,
	JC_MEASURE_HEAD,
	JC_MEASURE_LEFT_HAND,
	JC_MEASURE_RIGHT_HAND,
	JC_MEASURE_LEFT_FOOT,
	JC_MEASURE_RIGHT_FOOT,
	JC_MEASURE_LEFT_TOES,
	JC_MEASURE_RIGHT_TOES,
	JC_MEASURE_POINT_COUNT
};

/* Constants of one figure. */
struct jc_measure_figure {
	float hips_height;                    /* h */
	float height;                         /* H */
	bool has[JC_MEASURE_POINT_COUNT];     /* the figure has the joint */
	float levels[JC_MEASURE_POINT_COUNT]; /* y of feet and toes in the T-pose */
};

/* Where the joints of a figure are at one instant. */
struct jc_measure_frame {
	struct jc_vec3 points[JC_MEASURE_POINT_COUNT]; /* metres; only points that the figure has */
	/* The lowest bone but feet and toes, and its height over the floor, metres. */
	enum jc_bone lowest_bone;
	float lowest;
};

/* Results of one figure; NaN if a value could not be measured. */
struct jc_measure_result {
	double skate;            /* cm a frame */
	double penetration;      /* mm, mean */
	double penetration_most; /* mm */
	double below;            /* of the body, mm, mean */
	double below_most;       /* mm */
	enum jc_bone deepest;    /* the bone that was deepest; JC_BONE_NONE if none was below */
	double jerk;             /* 1/s^3 */
};

/* Results of a motion on a skeleton; NaN if a value could not be measured. */
struct jc_measures {
	size_t frame_count;                                   /* measured */
	double fps;                                           /* frames a second */
	struct jc_measure_result source, target;              /* the motion; the skeleton with it */
	double contact_f1, contact_precision, contact_recall; /* 0 to 1 */
	double end_effector_error;                            /* of H */
	double jerk_ratio;                                    /* of target to source */
	/* Filled by jc_measure_motion, 0 from jc_measure_finish. */
	size_t limited_joints;
	size_t past_limits; /* joints and frames together */
	size_t clamped;
	size_t sign_flips;
};

/* Sums of one figure; the fields are private. */
struct jc_measure_side {
	struct jc_measure_figure figure;                   /* constants */
	struct jc_measure_frame past[3];                   /* newest first */
	double skate, penetration, penetration_most, jerk; /* sums, and the most */
	double below, below_most;                          /* the same */
	enum jc_bone deepest;                              /* where it was the most */
};

/* Sums over the frames so far; the fields are private. */
struct jc_measure {
	double frame_seconds;                                /* between two frames */
	size_t frame_count;                                  /* so far */
	struct jc_measure_side source, target;               /* the motion; the skeleton with it */
	size_t contact_both, contact_source, contact_target; /* the last two: alone */
	size_t skate_count, jerk_count, error_count;         /* terms of the sums */
	double error;                                        /* sum, of H */
};

/* Call init, then add for each frame (frame_seconds apart), then finish. */
void jc_measure_init(struct jc_measure *measure, const struct jc_measure_figure *source,
	const struct jc_measure_figure *target, double frame_seconds);
void jc_measure_add(struct jc_measure *measure, const struct jc_measure_frame *source,
	const struct jc_measure_frame *target);
void jc_measure_finish(const struct jc_measure *measure, struct jc_measures *out_measures);

/* Measures a whole motion on a skeleton at `fps` frames a second; 0: at the motion's own frames.
 * The source figure is jc_motion_skeleton, or the built-in skeleton. JC_OK or
 * JC_ERROR_MEMORY. */
int jc_measure_motion(const struct jc_motion *motion, const struct jc_skeleton *skeleton,
	const struct jc_fitting_options *options, double fps, struct jc_measures *out_measures);

#ifdef __cplusplus
}
#endif

#endif
