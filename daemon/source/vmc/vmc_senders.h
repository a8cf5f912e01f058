/* The senders on one VMC port, distinguished by address and port, and the one body that they
 * describe together: a body tracker and a face tracker may be two programs. */
#ifndef JC_VMC_SENDERS_H
#define JC_VMC_SENDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"
#include "jointcast/vmc.h"
#include "jointcast_private/apps/sender_clock.h"
#include "jointcast_private/osc.h"

struct jc_vmc_senders;

/* avatar: as for jc_vmc_receiver_create, for all senders; borrowed for the call. Returns JC_OK or
 * JC_ERROR_MEMORY. */
int jc_vmc_senders_create(const struct jc_skeleton *avatar, struct jc_vmc_senders **out_senders);
void jc_vmc_senders_destroy(struct jc_vmc_senders *senders); /* NULL is fine */

/* Processes a packet of the sender at `from` that arrived at now_ns, which never decreases.
 * Returns JC_OK, JC_ERROR_MEMORY, an error of jc_vmc_receiver_take, or JC_ERROR_LIMIT if
 * JC_MAX_VMC_SENDERS others send. A sender that is silent for JC_CONTINUITY_HOLD_NS gives way to
 * others. */
int jc_vmc_senders_take(struct jc_vmc_senders *senders, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns, struct jc_diagnostic *diagnostic);

/* State of the body at one instant, from all senders. */
struct jc_vmc_body {
	struct jc_pose pose;
	uint64_t fresh;  /* bones (bit = enum jc_bone) whose value is at most a second old */
	int64_t time_ns; /* of the frame of the first sender */
	/* The clock of the first sender; owned by it, valid until the next packet. NULL: none. */
	const struct jc_sender_clock *clock;
	/* Devices of the first sender; owned by it, valid until the next packet. */
	const struct jc_vmc_device *devices;
	size_t device_count;
};

/* The merged body, if the first of the senders by rank has completed a frame since the last call.
 * The sender with the most bones of the body ranks first, among equals the one that began first. A
 * bone has the value of the first sender by rank that sends the bone, and only that sender
 * determines whether the bone is tracked or estimated. Returns false without a new frame. */
bool jc_vmc_senders_body(
	struct jc_vmc_senders *senders, int64_t now_ns, struct jc_vmc_body *out_body);

/* Whether any sender sends bones. */
bool jc_vmc_senders_has_body(const struct jc_vmc_senders *senders, int64_t now_ns);

/* The blend shapes of all senders, in order of first arrival. Of the senders of one blend shape,
 * the one with the fewest bones of the body counts, because that program tracks the face; among
 * equals the one that began first. The value is 0 if all of them are silent. Owned by `senders`,
 * valid until the next call. */
const struct jc_vmc_channel *jc_vmc_senders_channels(
	struct jc_vmc_senders *senders, int64_t now_ns, size_t *out_count);

/* Number of senders that are not silent. */
size_t jc_vmc_senders_active(const struct jc_vmc_senders *senders, int64_t now_ns);

/* The sums of all senders since the creation. */
void jc_vmc_senders_count(const struct jc_vmc_senders *senders, struct jc_vmc_counts *out_counts);

/* As jc_vmc_receiver_reason, for all senders. */
const struct jc_diagnostic *jc_vmc_senders_reason(const struct jc_vmc_senders *senders);

/* The first few addresses of messages that were not used, of all senders. */
const struct jc_osc_names *jc_vmc_senders_unused(const struct jc_vmc_senders *senders);

#endif
