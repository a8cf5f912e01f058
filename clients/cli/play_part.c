/* Bytes go out as they came in, but for their time and their cut. */
#include "play_part.h"

#include <string.h>

#define MESSAGE_BYTES 2    /* before a capture: kind and publication */
#define CUT           0x01 /* PROTOCOL.md, 12: flags of a capture */
#define REST          0x02

json_t *jc_play_part_pack(
	const struct jc_play_options *options, unsigned number, const struct jc_recorded_body *body)
{
	const struct jc_placement *placement = &body->placement;
	bool is_tracked = body->kind == JC_CAPTURE_BODY_FRAME;
	json_t *channels = json_array();
	json_t *height = is_tracked && body->height > 0.0f ? json_real((double)body->height) : NULL;
	json_t *seat = body->seat_height > 0.0f
			       ? json_pack("{sf}", "height", (double)body->seat_height)
			       : NULL;

	for (size_t i = 0; i < body->channel_count; i++) {
		json_array_append_new(channels, json_string(body->channels[i]));
	}
	return json_pack("{ss ss si ss ss* sO* ss ss* so* sb so s{s[fff] sf so*} sb sb}", "type",
		"publish", "space", options->space, "publication", (int)number, "name", body->name,
		"display", body->display && body->display[0] ? body->display : NULL, "meta",
		body->meta, "kind", is_tracked ? "body-frames" : "poses", "profile",
		is_tracked ? jc_profile_name(body->profile) : NULL, "height", height, "smooth",
		(int)(body->smooth.min_cutoff > 0.0f), "channels", channels, "placement",
		"position", (double)placement->position.x, (double)placement->position.y,
		(double)placement->position.z, "yaw", (double)placement->yaw, "seat", seat,
		"mayRecord", (int)options->may_record, "mayRebroadcast",
		(int)options->may_rebroadcast);
}

/* Whether bytes are a capture that a daemon would take. */
static bool is_sound(const uint8_t *bytes, size_t length)
{
	struct jc_capture capture;
	struct jc_body_frame frame;
	struct jc_pose pose;

	return length > 0 &&
	       (bytes[0] == JC_CAPTURE_POSE
			       ? jc_pose_decode(bytes, length, &capture, &pose)
			       : jc_body_frame_decode(bytes, length, &capture, &frame)) > 0;
}

void jc_play_part_take(
	struct jc_play_part *part, const struct jc_recorded_capture *capture, bool only_rests)
{
	if (!is_sound(capture->bytes, capture->length)) {
		return;
	}
	if (capture->bytes[1] & REST) {
		memcpy(part->rest, capture->bytes, capture->length);
		part->rest_length = capture->length;
		part->is_rest_due = true;
	} else if (!only_rests && part->state == JC_PART_OPEN) {
		/* What this one makes needless leaves its cut. */
		part->cut |= capture->bytes[1] & CUT;
		memcpy(part->bytes, capture->bytes, capture->length);
		part->length = capture->length;
	}
}

bool jc_play_part_send(
	struct jc_play_part *part, struct jc_link *link, unsigned number, int64_t time_us)
{
	const uint8_t *bytes = part->is_rest_due ? part->rest : part->bytes;
	size_t length = part->is_rest_due ? part->rest_length : part->length;
	uint8_t message[MESSAGE_BYTES + JC_CAPTURE_BYTES] = { 0x21, (uint8_t)number };

	if (part->state != JC_PART_OPEN || length == 0 || jc_link_is_busy(link, number)) {
		return false;
	}
	memcpy(message + MESSAGE_BYTES, bytes, length);
	jc_capture_stamp(message + MESSAGE_BYTES, time_us, !part->is_rest_due && part->cut);
	jc_link_cast(link, number, message, MESSAGE_BYTES + length);
	if (part->is_rest_due) {
		part->is_rest_due = false;
		return false;
	}
	part->length = 0;
	part->cut = false;
	return true;
}
