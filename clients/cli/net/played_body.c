/* Publishes one body of a recording. Only the time and the cut flag of its captures are changed.
 * Changes of the roster entry are sent at the rate that a daemon accepts. */
#include "net/played_body.h"

#include <string.h>

#define CHANGE_NS     INT64_C(1000000000) /* for eight bodies, within the daemon's rate of messages */
#define PLACE_NS      (CHANGE_NS / 3)
#define MESSAGE_BYTES 2    /* before a capture: kind and publication */
#define CUT           0x01 /* flags of a capture, see proto/PUBLISHING.md, "Captures" */
#define REST          0x02

/* Allows one message in a period, and two in a row after a pause. */
static bool is_due(int64_t due_ns, int64_t period_ns, int64_t now_ns)
{
	return now_ns >= due_ns - period_ns;
}

static void spend(int64_t *due_ns, int64_t period_ns, int64_t now_ns)
{
	*due_ns = (*due_ns > now_ns ? *due_ns : now_ns) + period_ns;
}

/* NULL: the body has no seat. */
static json_t *pack_seat(const struct jc_recorded_body *body)
{
	return body->seat_height > 0.0f ? json_pack("{sf}", "height", (double)body->seat_height)
					: NULL;
}

static json_t *pack_publish(
	const struct jc_play_options *options, unsigned number, const struct jc_recorded_body *body)
{
	const struct jc_placement *placement = &body->placement;
	bool is_tracked = body->kind == JC_CAPTURE_BODY_FRAME;
	json_t *channels = json_array();
	json_t *height = is_tracked && body->height > 0.0f ? json_real((double)body->height) : NULL;

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
		(double)placement->position.z, "yaw", (double)placement->yaw, "seat",
		pack_seat(body), "mayRecord", (int)options->may_record, "mayRebroadcast",
		(int)options->may_rebroadcast);
}

void jc_played_body_ask(struct jc_played_body *part, const struct jc_play_options *options,
	struct jc_link *link, unsigned number)
{
	part->state = JC_PLAYED_ASKED;
	part->reported = *part->body;
	part->length = 0;
	part->cut = true;
	/* Only body frames have a rest pose. */
	if (part->body->kind == JC_CAPTURE_POSE) {
		part->rest_length = 0;
	}
	part->is_rest_due = part->rest_length > 0;
	spend(&part->publish_ns, CHANGE_NS, jc_link_now_ns());
	jc_link_send_control(link, pack_publish(options, number, part->body));
}

void jc_played_body_leave(struct jc_played_body *part, struct jc_link *link, unsigned number,
	enum jc_played_body_state next)
{
	part->state = next;
	jc_link_send_control(
		link, json_pack("{ss si}", "type", "unpublish", "publication", (int)number));
}

static bool has_same_channels(
	const struct jc_recorded_body *body, const struct jc_recorded_body *reported)
{
	size_t i = 0;

	if (body->channel_count != reported->channel_count) {
		return false;
	}
	while (i < body->channel_count && strcmp(body->channels[i], reported->channels[i]) == 0) {
		i++;
	}
	return i == body->channel_count;
}

/* Whether the current publication still fits the body's captures. */
static bool has_same_form(
	const struct jc_recorded_body *body, const struct jc_recorded_body *reported)
{
	bool is_tracked = body->kind == JC_CAPTURE_BODY_FRAME;

	return body->kind == reported->kind &&
	       (!is_tracked ||
		       (body->profile == reported->profile && body->height == reported->height)) &&
	       (body->smooth.min_cutoff > 0.0f) == (reported->smooth.min_cutoff > 0.0f) &&
	       has_same_channels(body, reported);
}

static bool has_same_description(
	const struct jc_recorded_body *body, const struct jc_recorded_body *reported)
{
	return strcmp(body->display, reported->display) == 0 &&
	       (body->meta == reported->meta || json_equal(body->meta, reported->meta));
}

static bool has_same_place(
	const struct jc_recorded_body *body, const struct jc_recorded_body *reported)
{
	const struct jc_placement *at = &body->placement, *was = &reported->placement;

	return at->position.x == was->position.x && at->position.y == was->position.y &&
	       at->position.z == was->position.z && at->yaw == was->yaw &&
	       body->seat_height == reported->seat_height;
}

static void amend(struct jc_played_body *part, struct jc_link *link, unsigned number)
{
	const struct jc_recorded_body *body = part->body;
	json_t *meta = body->meta ? json_incref((json_t *)body->meta) : json_object();

	jc_link_send_control(
		link, json_pack("{ss si ss* so}", "type", "amend", "publication", (int)number,
			      "display", body->display[0] ? body->display : NULL, "meta", meta));
	part->reported.display = body->display;
	part->reported.meta = body->meta;
}

static void place(struct jc_played_body *part, const char *space, struct jc_link *link)
{
	const struct jc_placement *at = &part->body->placement;

	jc_link_send_control(
		link, json_pack("{ss ss sI s[fff] sf so*}", "type", "place", "space", space, "body",
			      (json_int_t)part->there, "position", (double)at->position.x,
			      (double)at->position.y, (double)at->position.z, "yaw",
			      (double)at->yaw, "seat", pack_seat(part->body)));
	part->reported.placement = *at;
	part->reported.seat_height = part->body->seat_height;
}

void jc_played_body_update(struct jc_played_body *part, const char *space, struct jc_link *link,
	unsigned number, int64_t now_ns)
{
	if (part->state != JC_PLAYED_OPEN) {
		return;
	}
	if (!has_same_form(part->body, &part->reported)) {
		if (is_due(part->publish_ns, CHANGE_NS, now_ns)) {
			jc_played_body_leave(part, link, number, JC_PLAYED_CHANGING);
		}
		return;
	}
	if (!has_same_description(part->body, &part->reported) &&
		is_due(part->amend_ns, CHANGE_NS, now_ns)) {
		spend(&part->amend_ns, CHANGE_NS, now_ns);
		amend(part, link, number);
	}
	if (!has_same_place(part->body, &part->reported) &&
		is_due(part->place_ns, PLACE_NS, now_ns)) {
		spend(&part->place_ns, PLACE_NS, now_ns);
		place(part, space, link);
	}
}

/* Whether the daemon would accept these bytes as a capture of the body. */
static bool is_sound(const struct jc_recorded_body *body, const uint8_t *bytes, size_t length)
{
	struct jc_capture capture;
	struct jc_body_frame frame;
	struct jc_pose pose;

	return length > 0 && bytes[0] == body->kind &&
	       (body->kind == JC_CAPTURE_POSE
			       ? jc_pose_decode(bytes, length, &capture, &pose)
			       : jc_body_frame_decode(bytes, length, &capture, &frame)) > 0;
}

void jc_played_body_take(
	struct jc_played_body *part, const struct jc_recorded_capture *capture, bool only_rests)
{
	/* T-poses are kept while the publication is being opened or renewed. */
	if (!is_sound(part->body, capture->bytes, capture->length)) {
		return;
	}
	if (capture->bytes[1] & REST) {
		memcpy(part->rest, capture->bytes, capture->length);
		part->rest_length = capture->length;
		part->is_rest_due = true;
	} else if (!only_rests && part->state == JC_PLAYED_OPEN &&
		   has_same_form(part->body, &part->reported)) {
		/* A capture that is replaced passes its cut flag on. */
		part->cut |= capture->bytes[1] & CUT;
		memcpy(part->bytes, capture->bytes, capture->length);
		part->length = capture->length;
	}
}

bool jc_played_body_send(
	struct jc_played_body *part, struct jc_link *link, unsigned number, int64_t time_us)
{
	const uint8_t *bytes = part->is_rest_due ? part->rest : part->bytes;
	size_t length = part->is_rest_due ? part->rest_length : part->length;
	uint8_t message[MESSAGE_BYTES + JC_CAPTURE_BYTES] = { 0x21, (uint8_t)number };

	if (part->state != JC_PLAYED_OPEN || !has_same_form(part->body, &part->reported) ||
		length == 0 || jc_link_is_busy(link, number)) {
		return false;
	}
	memcpy(message + MESSAGE_BYTES, bytes, length);
	jc_capture_stamp(message + MESSAGE_BYTES, time_us, !part->is_rest_due && part->cut);
	jc_link_send_capture(link, number, message, MESSAGE_BYTES + length);
	if (part->is_rest_due) {
		part->is_rest_due = false;
		return false;
	}
	part->length = 0;
	part->cut = false;
	return true;
}
