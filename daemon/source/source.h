/* A source: whatever delivers a body. The space asks it for a sample each tick
 * and knows nothing else of it; only app.c knows which kinds there are. */
#ifndef JC_SOURCE_H
#define JC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

struct jc_source_sample {
	struct jc_pose pose;
	int64_t capture_ns; /* when the pose was captured, CLOCK_MONOTONIC */
	bool cut;           /* the motion jumps here */
	bool live;          /* false: nothing new will come, the pose is the last */
};

struct jc_source;

struct jc_source_ops {
	void (*sample)(
		struct jc_source *source, int64_t now_ns, struct jc_source_sample *out_sample);
	void (*destroy)(struct jc_source *source);
};

struct jc_source {
	const struct jc_source_ops *ops;
	/* Where the body stands and looks when it begins: hips displacement in
	 * units of hips height (only x and z count) and heading about +Y. The
	 * space takes both out, so that the body begins on its own spot. */
	struct jc_vec3 start_translation;
	float start_yaw;
	float reach;       /* how far it goes from there, in units of hips height */
	float seat_height; /* of the seat it uses, likewise; 0 for none */
};

#endif
