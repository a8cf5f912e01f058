/* The interface between the two halves of a space: the origin (bodies, retargeting, encoding)
 * calls, the distribution answers. The origin knows which streams are needed, and no subscriber.
 * */
#ifndef JC_DISTRIBUTION_H
#define JC_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_announcement;
struct jc_body;
struct jc_distribution;

struct jc_distribution_ops {
	/* A tick comes in two steps. The poses are final: request streams (jc_body_stream_want). */
	void (*plan)(struct jc_distribution *distribution, uint32_t tick);
	/* These have been encoded: send them. */
	void (*cast)(struct jc_distribution *distribution, uint32_t tick);
	/* A body entered. It is in no roster yet, and no packet of it is wanted before
	 * that. */
	void (*body_entered)(struct jc_distribution *distribution, const struct jc_body *body);
	/* Its streams are to be let go of. */
	void (*body_left)(struct jc_distribution *distribution, uint32_t id, size_t slot);
	/* The roster differs from the announced one from now on. */
	void (*roster_due)(struct jc_distribution *distribution);
	/* Within a tick, before its packets are planned: send it to the subscribers. */
	void (*announce)(
		struct jc_distribution *distribution, const struct jc_announcement *announcement);
};

struct jc_distribution {
	const struct jc_distribution_ops *ops;
};

#endif
