/* Open Sound Control 1.0, the part of it that motion capture programs use: messages of int32,
 * float32, float64, string, true and false, alone or in bundles. File syntax only; vmc.h and
 * osc_trackers.h define addresses.
 *
 * "OSC 1.0" names sections of The Open Sound Control 1.0 Specification. */
#ifndef JC_PRIVATE_OSC_H
#define JC_PRIVATE_OSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "jointcast/limits.h"

/* One argument. type is its OSC type tag: 'i', 'f', 'd', 's', 'T' or 'F', the latter
 * two without a value. */
struct jc_osc_argument {
	char type;
	union {
		int32_t i;
		float f;       /* any bits, NaN too */
		double d;      /* any bits, NaN too */
		const char *s; /* UTF-8 or any other bytes; borrowed from the packet */
	};
};

struct jc_osc_message {
	const char *address; /* begins with '/'; borrowed from the packet */
	size_t argument_count;
	struct jc_osc_argument arguments[JC_LIMIT_OSC_ARGUMENTS];
};

/* Reads one packet (a datagram) and hands its messages to on_message in order,
 * those of nested bundles where they stand; a message and its strings are gone
 * when the call returns. All or nothing: the packet is checked to its end
 * first, so of a damaged one no message is handed out.
 *
 * Strict: lengths, alignment, string ends and padding (zeros) are as the
 * specification has them, and nothing follows the last argument. Arguments of
 * a type that is not read, and those past JC_LIMIT_OSC_ARGUMENTS, end the list
 * of a message: argument_count is the number of arguments before, the rest is skipped
 * unread. A message without type tags has none. Time tags delay
 * nothing: everything counts when it arrives. Addresses are not matched as patterns.
 *
 * Returns 0 or a negative error with the diagnostic (may be NULL) filled, its
 * `where` the offset in the packet: JC_ERROR_TRUNCATED, JC_ERROR_SYNTAX or
 * JC_ERROR_LIMIT (JC_LIMIT_OSC_DEPTH bundles in one another). */
int jc_osc_read(const void *bytes, size_t length,
	void (*on_message)(void *context, const struct jc_osc_message *message), void *context,
	struct jc_diagnostic *diagnostic);

/* Whether the arguments begin with these types: 's' for a string, 'n' for a number of any type
 * ("snnnnnnn"); more are allowed. Programs in languages with one type of numbers send whole numbers
 * as int32, and some send float64. */
bool jc_osc_matches(const struct jc_osc_message *message, const char *types);

/* The value of an argument of type 'i', 'f' or 'd'. */
double jc_osc_number(const struct jc_osc_argument *argument);

/* When a packet was sent: the time tag of its outermost bundle, nanoseconds since 1970; INT64_MIN
 * for a message, and for a bundle that is due at once (OSC 1.0, "Temporal Semantics"). */
int64_t jc_osc_sent_ns(const void *bytes, size_t length);

/* The first few different addresses of messages that a program does not use. All zeros: none. */
struct jc_osc_names {
	size_t count;
	char list[JC_LIMIT_OSC_NAMES][JC_LIMIT_OSC_NAME_BYTES]; /* cut if longer */
};

/* Adds an address, unless it is there or the list is full. */
void jc_osc_names_add(struct jc_osc_names *names, const char *address);

/* Writes a message, or begins a bundle that is due at once and appends to it
 * (out_bytes being behind what is there). Each returns the bytes written or
 * JC_ERROR_SPACE, and then writes nothing. */
int jc_osc_write(const struct jc_osc_message *message, void *out_bytes, size_t capacity);
int jc_osc_bundle_begin(void *out_bytes, size_t capacity);
int jc_osc_bundle_append(const struct jc_osc_message *message, void *out_bytes, size_t capacity);

#endif
