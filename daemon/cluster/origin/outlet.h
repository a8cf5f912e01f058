/* Where the exports of a space go: NATS, or a test. */
#ifndef JC_OUTLET_H
#define JC_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jc_outlet;

struct jc_outlet_ops {
	/* All copy the bytes and never block; what cannot be published is lost. */
	void (*publish)(
		struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length);
	/* Sends a text that may be late: it never takes the room of other messages. Returns whether
	 * it is published. */
	bool (*publish_spare)(
		struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length);
	void (*publish_parts)(
		struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length);
};

struct jc_outlet {
	const struct jc_outlet_ops *ops;
};

#endif
