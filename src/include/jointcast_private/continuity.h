/* Bridges gaps in the tracking of a live body: lost parts are held, then blend to a rest pose;
 * returning parts are blended in; jumps are marked as cuts. Times are parameters, on any single
 * clock. */
#ifndef JC_PRIVATE_CONTINUITY_H
#define JC_PRIVATE_CONTINUITY_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* A pose older than this counts as held. */
#define JC_CONTINUITY_FRESH_NS INT64_C(200000000)
#define JC_CONTINUITY_HOLD_NS  INT64_C(500000000)  /* lost parts are held for this time, */
#define JC_CONTINUITY_DECAY_NS INT64_C(1000000000) /* then blend to rest in this time */
/* Returning parts are blended in within this time, or within the length of the gap if shorter. */
#define JC_CONTINUITY_BLEND_NS INT64_C(300000000)
#define JC_CONTINUITY_SILENCE_NS                                                                   \
	INT64_C(1000000000) /* time without poses until the body is not live */

#define JC_CONTINUITY_REGIONS 8 /* trunk, arms, legs, face, fingers */

/* State of one body, owned by the caller. Initialise with `struct jc_continuity state = { 0 };`. */
struct jc_continuity {
	bool has_begun;
	bool anew;            /* the next pose is a cut */
	bool cut;             /* the next sample reports a cut */
	int64_t time_ns;      /* of the newest pose */
	int64_t reported_ns;  /* time_ns of the last sample */
	int64_t aged_ns;      /* age of the newest pose in the last sample; 0: none since then */
	struct jc_pose shown; /* at time_ns */
	struct jc_vec3 hips;  /* of the newest pose, unfiltered */
	uint64_t known, seen; /* bone masks: of the newest pose, and of all poses */
	int64_t lost_ns[JC_CONTINUITY_REGIONS]; /* last time with a tracked bone */
	struct jc_continuity_change {
		struct jc_quat from; /* last shown rotation */
		int64_t begin_ns;    /* held until this time */
		int64_t length_ns;   /* 0: no transition */
	} changes[JC_BONE_COUNT];
	struct jc_vec3 hips_from; /* changes with the hips bone */
};

struct jc_continuity_sample {
	struct jc_pose pose;
	int64_t time_ns; /* time of the pose; never decreases */
	bool cut;        /* discontinuity */
	bool live;       /* false: no pose for JC_CONTINUITY_SILENCE_NS */
	bool held;       /* older than JC_CONTINUITY_FRESH_NS */
};

/* Adds a pose; ignored unless it is later than the previous one. known (bit = enum jc_bone) marks
 * tracked bones; the others were estimated. A pose without known bones is ignored.
 *
 * When a bone becomes unknown, the unknown bones of its region (trunk, arm, leg, face, fingers) are
 * held, then blend to their estimated rotation or, if absent, to the rest pose. A hips jump of more
 * than JC_LIMIT_HIPS_JUMP is a cut and ends all transitions; the first pose is a cut too. A pose
 * after a gap is blended in, and so is one that comes late, after samples went to the rest pose. */
void jc_continuity_put(
	struct jc_continuity *state, const struct jc_pose *pose, uint64_t known, int64_t time_ns);

/* Makes the next pose a cut. */
void jc_continuity_restart(struct jc_continuity *state);

/* Returns the newest pose, without extrapolation or added delay. If it is older than
 * JC_CONTINUITY_FRESH_NS its bones are estimated; after JC_CONTINUITY_HOLD_NS it blends to the rest
 * pose. Before the first pose all bones are absent. */
void jc_continuity_sample(
	struct jc_continuity *state, int64_t now_ns, struct jc_continuity_sample *out_sample);

/* The rest pose: upright, arms down, with the hips position and heading of `pose`; bones that are
 * absent in `pose` are absent. */
void jc_continuity_rest(const struct jc_pose *pose, struct jc_pose *out_pose);

/* Mask of the bones of a pose that are not absent. */
uint64_t jc_continuity_present(const struct jc_pose *pose);

#endif
