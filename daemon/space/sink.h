/* The interface of a sink, which receives the bodies of a space unencoded, to record them or
 * to send them in another protocol. The counterpart of a source; only app/ knows the kinds of
 * sinks. */
#ifndef JC_SINK_H
#define JC_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/skeleton.h"

struct jc_body;
struct jc_sink;
struct jc_source_sample;
struct jc_space;

/* Functions that a sink does not need are NULL. */
struct jc_sink_ops {
	/* The sample of a body's source for this tick, before retargeting. */
	void (*sample)(struct jc_sink *sink, const struct jc_body *body,
		const struct jc_source_sample *sample);
	/* The pose of a body in this tick, on its skeleton;
	 * now_ns is the tick's nominal time. */
	void (*pose)(struct jc_sink *sink, const struct jc_body *body,
		const struct jc_skeleton_pose *pose, int64_t now_ns);
	/* Called after all bodies of the tick. */
	void (*ticked)(
		struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns);
	/* The packets of this tick are in the streams (jc_space_streams). */
	void (*encoded)(
		struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns);
	/* Between two ticks: the person withdraws consent to recording, or a moderator hides
	 * the body. */
	void (*withdrawn)(
		struct jc_sink *sink, const struct jc_space *space, const struct jc_body *body);
	void (*destroy)(struct jc_sink *sink);
};

struct jc_sink {
	const struct jc_sink_ops *ops;
	struct jc_sink *next; /* the space's */
	bool is_aside;        /* true: does not keep an empty space open */
};

#endif
