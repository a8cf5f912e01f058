/* The interface between the two halves of a space: the origin (bodies, retargeting, encoding)
 * calls, the distribution answers. The origin knows which streams are needed, and no subscriber. */
#ifndef JC_DISTRIBUTION_H
#define JC_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

struct jc_announcement;
struct jc_body;
struct jc_distribution;

struct jc_distribution_ops {
	/* A tick has two steps. First, with final poses: request streams (jc_body_stream_want). */
	void (*plan)(struct jc_distribution *distribution, uint32_t tick);
	/* Second: send the encoded packets. */
	void (*cast)(struct jc_distribution *distribution, uint32_t tick);
	/* A body entered. Its packets are not requested until the roster lists it. */
	void (*body_entered)(struct jc_distribution *distribution, const struct jc_body *body);
	/* A body left: release its streams. */
	void (*body_left)(struct jc_distribution *distribution, uint32_t id, size_t slot);
	/* The roster differs from the announced one. */
	void (*roster_due)(struct jc_distribution *distribution);
	/* Send a roster change to the subscribers, within a tick and before its packets are
	 * planned. */
	void (*announce)(
		struct jc_distribution *distribution, const struct jc_announcement *announcement);
};

struct jc_distribution {
	const struct jc_distribution_ops *ops;
};

#endif
