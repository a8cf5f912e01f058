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

/* What a sink does not want to be shown is NULL. */
struct jc_sink_ops {
	/* What the source of a body said for this tick, before it is fitted. */
	void (*sample)(struct jc_sink *sink, const struct jc_body *body,
		const struct jc_source_sample *sample);
	/* How a body stands in this tick, fitted to the skeleton that it wears;
	 * now_ns is the tick's nominal time. */
	void (*pose)(struct jc_sink *sink, const struct jc_body *body,
		const struct jc_skeleton_pose *pose, int64_t now_ns);
	/* All bodies of the tick were shown. */
	void (*ticked)(
		struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns);
	/* What streams say of this tick stands in them (jc_space_streams). */
	void (*encoded)(
		struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns);
	/* Between two ticks: the person agrees no longer to being recorded, or moderators
	 * hide the body. */
	void (*withdrawn)(
		struct jc_sink *sink, const struct jc_space *space, const struct jc_body *body);
	void (*destroy)(struct jc_sink *sink);
};

struct jc_sink {
	const struct jc_sink_ops *ops;
	struct jc_sink *next; /* the space's */
	bool is_aside;        /* a space that is left empty closes although it has this one */
};

#endif
