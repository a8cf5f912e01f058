/* One receiver for each sender. Ranks change only when a sender shows more of the body than
 * before or falls silent, so that two senders of the same bone never alternate. */
#include "source/vmc/vmc_senders.h"

#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "jointcast_private/continuity.h"
#include "jointcast_private/vmc_report.h"
#include "maxima.h"

#define SILENCE_NS JC_CONTINUITY_HOLD_NS
#define NO_CHANNEL UINT16_MAX

struct sender {
	struct sockaddr_storage address;
	struct jc_vmc_receiver *receiver; /* owned; NULL: the place is free */
	int64_t latest_ns;                /* arrival time of the last valid packet */
	uint64_t began;                   /* its turn among senders; 0: no valid packet yet */
	int bones;                        /* maximum of fresh bones of the body since it began */
	const struct jc_vmc_frame *frame; /* the newest; NULL: no bones */
	struct jc_sender_clock clock;
	size_t channel_count;                    /* channels of the receiver with an index */
	uint16_t indices[JC_LIMIT_VMC_CHANNELS]; /* into the channels of all senders */
};

struct jc_vmc_senders {
	struct sender senders[JC_MAX_VMC_SENDERS];
	struct jc_vmc_receiver *model; /* owned; has the avatar and receives nothing */
	uint64_t turns;                /* senders that began */
	struct jc_vmc_counts gone;     /* of senders that gave way, and of refused packets */
	struct jc_diagnostic reason;   /* against the first message that was not used */
	struct jc_osc_names unused;    /* the addresses of such messages */
	const struct sender *lead;     /* its frame was the last merged one */
	uint64_t number;               /* of this frame */
	size_t channel_count;
	struct jc_vmc_channel channels[JC_LIMIT_VMC_CHANNELS];
};

int jc_vmc_senders_create(const struct jc_skeleton *avatar, struct jc_vmc_senders **out_senders)
{
	struct jc_vmc_senders *senders = calloc(1, sizeof(*senders));

	if (!senders || jc_vmc_receiver_create(avatar, &senders->model) != JC_OK) {
		free(senders);
		return JC_ERROR_MEMORY;
	}
	*out_senders = senders;
	return JC_OK;
}

void jc_vmc_senders_destroy(struct jc_vmc_senders *senders)
{
	if (!senders) {
		return;
	}
	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		jc_vmc_receiver_destroy(senders->senders[i].receiver);
	}
	jc_vmc_receiver_destroy(senders->model);
	free(senders);
}

static bool is_silent(const struct sender *sender, int64_t now_ns)
{
	return sender->began == 0 || now_ns - sender->latest_ns >= SILENCE_NS;
}

static bool sends_bones(const struct sender *sender, int64_t now_ns)
{
	return sender->frame && now_ns - sender->frame->time_ns < SILENCE_NS;
}

static void add_counts(struct jc_vmc_counts *sum, const struct jc_vmc_counts *counts)
{
	sum->packets += counts->packets;
	sum->refused += counts->refused;
	sum->messages += counts->messages;
	sum->ignored += counts->ignored;
	sum->invalid += counts->invalid;
	sum->frames += counts->frames;
}

/* The place of a sender, or the place for a new one: a free one, or that of the sender that has
 * been silent for the longest time. NULL: all places are taken. */
static struct sender *find(
	struct jc_vmc_senders *senders, const struct sockaddr_storage *from, int64_t now_ns)
{
	struct sender *place = NULL;

	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		struct sender *sender = &senders->senders[i];

		if (sender->receiver &&
			memcmp(&sender->address, from, jc_address_length(from)) == 0) {
			return sender;
		}
		if (is_silent(sender, now_ns) &&
			(!place || (place->receiver &&
					   (!sender->receiver ||
						   sender->latest_ns < place->latest_ns)))) {
			place = sender;
		}
	}
	return place;
}

/* Gives the place to a new sender. */
static int admit(
	struct jc_vmc_senders *senders, struct sender *place, const struct sockaddr_storage *from)
{
	struct jc_vmc_receiver *receiver;
	int status = jc_vmc_receiver_create_like(senders->model, &receiver);

	if (status != JC_OK) {
		return status;
	}
	if (place->receiver) {
		add_counts(&senders->gone, jc_vmc_receiver_counts(place->receiver));
		jc_vmc_receiver_destroy(place->receiver);
	}
	if (senders->lead == place) {
		senders->lead = NULL;
	}
	*place = (struct sender){ .address = *from, .receiver = receiver };
	return JC_OK;
}

int jc_vmc_senders_take(struct jc_vmc_senders *senders, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns, struct jc_diagnostic *diagnostic)
{
	struct sender *sender = find(senders, from, now_ns);
	int status = JC_OK;

	if (!sender) {
		senders->gone.packets++;
		senders->gone.refused++;
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, "on one port",
			"more than %u senders at the same time", JC_MAX_VMC_SENDERS);
	}
	if (!sender->receiver || memcmp(&sender->address, from, jc_address_length(from)) != 0) {
		status = admit(senders, sender, from);
	}
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "out of memory");
	}
	status = jc_vmc_receiver_take(sender->receiver, bytes, length, now_ns, diagnostic);
	const struct jc_diagnostic *reason = jc_vmc_receiver_reason(sender->receiver);

	if (reason && !senders->reason.what[0]) {
		senders->reason = *reason;
	}
	const struct jc_osc_names *unused = jc_vmc_receiver_unused(sender->receiver);

	for (size_t i = 0; i < unused->count; i++) {
		jc_osc_names_add(&senders->unused, unused->list[i]);
	}
	if (status != JC_OK) {
		return status;
	}
	if (is_silent(sender, now_ns)) {
		sender->began = ++senders->turns;
		sender->bones = 0;
	}
	sender->latest_ns = now_ns;
	int64_t sent_ns, arrived_ns;

	if (jc_vmc_receiver_time(sender->receiver, &sent_ns, &arrived_ns)) {
		jc_sender_clock_note(&sender->clock, sent_ns, arrived_ns);
	}
	return JC_OK;
}

/* Bones of the body among those of a mask: not the face, no fingers. */
static int count_bones(uint64_t mask)
{
	int count = 0;

	for (int bone = JC_BONE_HIPS; bone <= JC_BONE_RIGHT_TOES; bone++) {
		count += (int)(mask >> bone & 1);
	}
	return count;
}

/* Whether a ranks before b. */
static bool is_before(const struct sender *a, const struct sender *b)
{
	return a->bones != b->bones ? a->bones > b->bones : a->began < b->began;
}

/* Whether blend shapes of a count rather than those of b. */
static bool is_nearer_face(const struct sender *a, const struct sender *b)
{
	return a->bones != b->bones ? a->bones < b->bones : a->began < b->began;
}

/* Updates the frames of all senders; lists those that send bones by rank. Returns how many. */
static size_t rank(struct jc_vmc_senders *senders, int64_t now_ns,
	const struct sender *out_ranked[JC_MAX_VMC_SENDERS])
{
	size_t count = 0;

	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		struct sender *sender = &senders->senders[i];
		size_t at = count;

		sender->frame =
			sender->receiver ? jc_vmc_receiver_frame(sender->receiver, now_ns) : NULL;
		if (!sends_bones(sender, now_ns)) {
			continue;
		}
		int bones = count_bones(sender->frame->fresh);

		sender->bones = bones > sender->bones ? bones : sender->bones;
		for (; at > 0 && is_before(sender, out_ranked[at - 1]); at--) {
			out_ranked[at] = out_ranked[at - 1];
		}
		out_ranked[at] = sender;
		count++;
	}
	return count;
}

/* The first sender with a fresh value of the bone, else the first with any value, else NULL. */
static const struct sender *find_owner(
	const struct sender *const *ranked, size_t count, enum jc_bone bone)
{
	for (size_t i = 0; i < count; i++) {
		if (ranked[i]->frame->fresh >> bone & 1) {
			return ranked[i];
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (ranked[i]->frame->pose.states[bone] != JC_ABSENT) {
			return ranked[i];
		}
	}
	return NULL;
}

bool jc_vmc_senders_body(
	struct jc_vmc_senders *senders, int64_t now_ns, struct jc_vmc_body *out_body)
{
	const struct sender *ranked[JC_MAX_VMC_SENDERS];
	size_t count = rank(senders, now_ns, ranked);

	if (count == 0 ||
		(ranked[0] == senders->lead && ranked[0]->frame->number == senders->number)) {
		return false;
	}
	senders->lead = ranked[0];
	senders->number = ranked[0]->frame->number;
	*out_body = (struct jc_vmc_body){
		.time_ns = ranked[0]->frame->time_ns,
		.clock = ranked[0]->clock.is_begun ? &ranked[0]->clock : NULL,
		.devices = jc_vmc_receiver_devices(ranked[0]->receiver),
		.device_count = jc_vmc_receiver_device_count(ranked[0]->receiver),
	};
	jc_pose_init(&out_body->pose);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		const struct sender *owner = find_owner(ranked, count, (enum jc_bone)i);

		if (!owner) {
			continue;
		}
		out_body->pose.rotations[i] = owner->frame->pose.rotations[i];
		out_body->pose.states[i] = owner->frame->pose.states[i];
		out_body->fresh |= owner->frame->fresh & (UINT64_C(1) << i);
		if (i == JC_BONE_HIPS) {
			out_body->pose.hips_translation = owner->frame->pose.hips_translation;
		}
	}
	return true;
}

bool jc_vmc_senders_has_body(const struct jc_vmc_senders *senders, int64_t now_ns)
{
	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		if (sends_bones(&senders->senders[i], now_ns)) {
			return true;
		}
	}
	return false;
}

/* Index of a channel among those of all senders; adds the channel if it is new. */
static uint16_t find_channel(struct jc_vmc_senders *senders, const char *name)
{
	size_t index = 0;

	while (index < senders->channel_count && strcmp(senders->channels[index].name, name) != 0) {
		index++;
	}
	if (index == JC_LIMIT_VMC_CHANNELS) {
		senders->gone.ignored++;
		if (!senders->reason.what[0]) {
			jc_diagnose(&senders->reason, JC_ERROR_LIMIT, name,
				"too many blend shapes of all senders");
		}
		return NO_CHANNEL;
	}
	if (index == senders->channel_count) {
		strcpy(senders->channels[index].name, name);
		senders->channel_count++;
	}
	return (uint16_t)index;
}

const struct jc_vmc_channel *jc_vmc_senders_channels(
	struct jc_vmc_senders *senders, int64_t now_ns, size_t *out_count)
{
	const struct sender *owners[JC_LIMIT_VMC_CHANNELS] = { NULL };

	for (size_t i = 0; i < senders->channel_count; i++) {
		senders->channels[i].value = 0.0f;
	}
	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		struct sender *sender = &senders->senders[i];

		if (!sender->receiver || is_silent(sender, now_ns)) {
			continue;
		}
		const struct jc_vmc_channel *channels = jc_vmc_receiver_channels(sender->receiver);
		size_t count = jc_vmc_receiver_channel_count(sender->receiver);

		for (size_t k = 0; k < count; k++) {
			if (k == sender->channel_count) {
				sender->indices[k] = find_channel(senders, channels[k].name);
				sender->channel_count++;
			}
			uint16_t index = sender->indices[k];

			if (index != NO_CHANNEL &&
				(!owners[index] || is_nearer_face(sender, owners[index]))) {
				owners[index] = sender;
				senders->channels[index].value = channels[k].value;
			}
		}
	}
	*out_count = senders->channel_count;
	return senders->channels;
}

size_t jc_vmc_senders_active(const struct jc_vmc_senders *senders, int64_t now_ns)
{
	size_t count = 0;

	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		count += !is_silent(&senders->senders[i], now_ns);
	}
	return count;
}

void jc_vmc_senders_count(const struct jc_vmc_senders *senders, struct jc_vmc_counts *out_counts)
{
	*out_counts = senders->gone;
	for (size_t i = 0; i < JC_MAX_VMC_SENDERS; i++) {
		if (senders->senders[i].receiver) {
			add_counts(
				out_counts, jc_vmc_receiver_counts(senders->senders[i].receiver));
		}
	}
}

const struct jc_diagnostic *jc_vmc_senders_reason(const struct jc_vmc_senders *senders)
{
	return senders->reason.what[0] ? &senders->reason : NULL;
}

const struct jc_osc_names *jc_vmc_senders_unused(const struct jc_vmc_senders *senders)
{
	return &senders->unused;
}
