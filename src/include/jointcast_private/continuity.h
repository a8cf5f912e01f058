/* A live body stays whole while tracking does not: what is lost is held for a
 * moment and then sinks to rest, what comes back is eased in, and what jumps is cut.
 * No clock is read: times are given, of any one clock. */
#ifndef JC_PRIVATE_CONTINUITY_H
#define JC_PRIVATE_CONTINUITY_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* A pose older than this is no longer how the body stands but how it stood. */
#define JC_CONTINUITY_FRESH_NS INT64_C(200000000)
#define JC_CONTINUITY_HOLD_NS  INT64_C(500000000)  /* what is lost stays as it was, */
#define JC_CONTINUITY_DECAY_NS INT64_C(1000000000) /* and sinks within this */
/* What comes back is eased in within this, or within the time it was gone. */
#define JC_CONTINUITY_BLEND_NS   INT64_C(300000000)
#define JC_CONTINUITY_SILENCE_NS INT64_C(1000000000) /* after which it is said to be silent */

#define JC_CONTINUITY_REGIONS 8 /* trunk, arms, legs, face, fingers */

/* One per body, the caller's; `struct jc_continuity state = { 0 };` begins it. */
struct jc_continuity {
	bool has_begun;
	bool anew;                              /* what comes next is a cut */
	bool cut;                               /* the next sample tells of one */
	int64_t time_ns;                        /* of the newest pose */
	int64_t reported_ns;                    /* that the last sample told */
	struct jc_pose shown;                   /* at time_ns */
	struct jc_vec3 hips;                    /* of the newest pose as it came */
	uint64_t known, seen;                   /* bones: of the newest pose, and ever */
	int64_t lost_ns[JC_CONTINUITY_REGIONS]; /* when something last was */
	struct jc_continuity_change {
		struct jc_quat from; /* as it was shown */
		int64_t begin_ns;    /* until then it is held */
		int64_t length_ns;   /* 0: none is under way */
	} changes[JC_BONE_COUNT];
	struct jc_vec3 hips_from; /* changes with the hips bone */
};

struct jc_continuity_sample {
	struct jc_pose pose;
	int64_t time_ns; /* when the body stood so; never goes back */
	bool cut;        /* it jumped here */
	bool live;       /* false: nothing came for JC_CONTINUITY_SILENCE_NS */
	bool held;       /* older than JC_CONTINUITY_FRESH_NS */
};

/* A pose later than the one before; any other is ignored. known, a bit for each bone,
 * says which of them were tracked: the others' rotations were made up for them. A
 * pose of which nothing is known is none.
 *
 * Where a bone becomes unknown, its region (trunk, arm, leg, face, fingers) is held but for
 * what is still known of it, then goes over to what was made up, or if that is absent
 * to the resting pose. Hips that jump by more than JC_LIMIT_HIPS_JUMP are a cut, which
 * ends whatever was under way; so is the first pose. */
void jc_continuity_put(
	struct jc_continuity *state, const struct jc_pose *pose, uint64_t known, int64_t time_ns);

/* What comes next has nothing to do with what came before: it is a cut. */
void jc_continuity_restart(struct jc_continuity *state);

/* The newest pose, whatever its age up to JC_CONTINUITY_FRESH_NS: nothing is
 * extrapolated, and no delay is added. Older, its bones are estimated, and past
 * JC_CONTINUITY_HOLD_NS it goes over to the resting pose. Before the first pose all
 * bones are absent. */
void jc_continuity_sample(
	struct jc_continuity *state, int64_t now_ns, struct jc_continuity_sample *out_sample);

/* Standing upright and at ease where `pose` has its hips and their heading, arms
 * down; bones absent there are absent. */
void jc_continuity_rest(const struct jc_pose *pose, struct jc_pose *out_pose);

/* The bones of a pose that are not absent, as `known` has them. */
uint64_t jc_continuity_present(const struct jc_pose *pose);

#endif
