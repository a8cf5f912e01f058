/* Writes rosters: for each body how its captures are recorded and whether it was moderated. */
#include "record/record_roster.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "source/capture_intake.h"
#include "source/tracked_body.h"

enum jc_recorded jc_record_roster_form(
	const struct jc_record_roster *roster, const struct jc_body *body)
{
	const struct jc_source *source = body->source;

	if (source->is_unrecorded || body->is_hidden) {
		return JC_RECORDED_NOTHING;
	}
	return roster->is_raw && source->tracked && !source->is_anonymous ? JC_RECORDED_RAW
									  : JC_RECORDED_ANONYMOUS;
}

static uint64_t sum_intakes(const struct jc_space *space)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_source *source = jc_space_body(space, i)->source;

		sum += source->intake ? jc_capture_intake_revision(source->intake) : 0;
	}
	return sum;
}

bool jc_record_roster_is_due(const struct jc_record_roster *roster, const struct jc_space *space)
{
	return !roster->is_reported || roster->revision != jc_space_changes(space) ||
	       roster->intakes != sum_intakes(space);
}

/* Steals the text. */
static void put_text(struct jc_record_queue *queue, const struct jc_record_entry *like, char *text)
{
	struct jc_record_entry head = *like;

	head.length = strlen(text);
	jc_record_queue_put(queue, &head, text);
	free(text);
}

static bool is_known(const struct jc_record_roster *roster, const struct jc_skeleton_asset *asset)
{
	for (size_t i = 0; i < roster->skeleton_count; i++) {
		if (roster->skeletons[i] == asset->number) {
			return true;
		}
	}
	return false;
}

static void report_skeleton(struct jc_record_roster *roster, const struct jc_skeleton_asset *asset,
	int64_t time_us, struct jc_record_queue *queue)
{
	struct jc_record_entry head = {
		.topic = JC_TOPIC_SKELETON, .time_us = time_us, .asset = asset->number
	};
	char *text;

	if (is_known(roster, asset) ||
		jc_recording_format_skeleton(time_us, asset->skeleton, &text) != JC_OK) {
		return;
	}
	roster->skeletons[roster->skeleton_count++] = asset->number;
	head.role = roster->skeleton_count == 1 ? JC_RECORD_ANEW : JC_RECORD_KEPT;
	put_text(queue, &head, text);
}

static bool is_in_use(
	const struct jc_record_roster *roster, const struct jc_space *space, uint32_t asset)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (body->asset->number == asset &&
			jc_record_roster_form(roster, body) != JC_RECORDED_NOTHING) {
			return true;
		}
	}
	return false;
}

/* Each new file of the recording begins with the skeletons of the recorded bodies. When no
 * recorded body uses a listed skeleton any more, the list starts again without it. */
static void report_skeletons(struct jc_record_roster *roster, const struct jc_space *space,
	int64_t time_us, struct jc_record_queue *queue)
{
	for (size_t i = 0; i < roster->skeleton_count; i++) {
		if (!is_in_use(roster, space, roster->skeletons[i])) {
			roster->skeleton_count = 0;
		}
	}
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (jc_record_roster_form(roster, body) != JC_RECORDED_NOTHING) {
			report_skeleton(roster, body->asset, time_us, queue);
		}
	}
}

/* Body frames are recorded unchanged. */
static void describe_frames(const struct jc_source *source, struct jc_recorded_body *body)
{
	const struct jc_capture_form *form = jc_capture_form(source->intake);
	const struct jc_calibration *calibration = jc_tracked_body_applied(source->tracked);

	body->kind = JC_CAPTURE_BODY_FRAME;
	body->profile = form->profile;
	body->height = form->height;
	body->calibration = calibration ? jc_calibration_pack(calibration) : NULL;
}

/* Poses are recorded as received, or as solved from body frames. */
static void describe(const struct jc_record_roster *roster, const struct jc_body *of,
	struct jc_recorded_body *out_body)
{
	const struct jc_source *source = of->source;
	enum jc_recorded recorded = jc_record_roster_form(roster, of);

	if (recorded == JC_RECORDED_NOTHING) {
		*out_body = (struct jc_recorded_body){ .id = of->id, .name = "", .skeleton = "" };
		return;
	}
	struct jc_recorded_body body = {
		.id = of->id,
		.name = of->name,
		.display = of->display,
		.meta = of->about ? json_loads(of->about, 0, NULL) : NULL,
		.recorded = recorded,
		.kind = JC_CAPTURE_POSE,
		.skeleton = of->asset->hash,
		.channel_count = source->channels.count,
		.channels = source->channels.names,
		.placement = of->placement,
		.seat_height = of->seat_height,
	};

	if (recorded == JC_RECORDED_RAW) {
		describe_frames(source, &body);
	}
	if (recorded == JC_RECORDED_RAW || (source->intake && !source->tracked)) {
		const struct jc_capture_form *form = jc_capture_form(source->intake);

		body.smooth = form->smooth;
		body.is_direct = form->is_direct;
		body.channel_count = form->channel_count;
		body.channels = form->channels;
	}
	*out_body = body;
}

static bool has_listed(const struct jc_record_roster *roster, uint32_t id)
{
	for (size_t i = 0; i < roster->body_count; i++) {
		if (roster->bodies[i] == id) {
			return true;
		}
	}
	return false;
}

/* Counts the bodies that the last roster did not list: a body that leaves never returns with the
 * same id. */
static void count_bodies(struct jc_record_roster *roster, const struct jc_space *space)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		roster->entered += !has_listed(roster, jc_space_body(space, i)->id);
	}
	roster->body_count = jc_space_body_count(space);
	for (size_t i = 0; i < roster->body_count; i++) {
		roster->bodies[i] = jc_space_body(space, i)->id;
	}
}

void jc_record_roster_report(struct jc_record_roster *roster, const struct jc_space *space,
	int64_t time_us, struct jc_record_queue *queue)
{
	struct jc_recorded_body bodies[JC_MAX_BODIES];
	size_t count = jc_space_body_count(space);
	struct jc_record_entry head = { .topic = JC_TOPIC_ROSTER,
		.role = JC_RECORD_LAST,
		.time_us = time_us,
		.bodies = (uint32_t)count };
	char *text;
	int error;

	report_skeletons(roster, space, time_us, queue);
	for (size_t i = 0; i < count; i++) {
		describe(roster, jc_space_body(space, i), &bodies[i]);
	}
	error = jc_recording_format_roster(time_us, jc_space_changes(space), bodies, count, &text);
	for (size_t i = 0; i < count; i++) {
		json_decref((json_t *)bodies[i].meta);
		json_decref((json_t *)bodies[i].calibration);
	}
	if (error) {
		return; /* out of memory: tried again at the next tick */
	}
	roster->revision = jc_space_changes(space);
	roster->intakes = sum_intakes(space);
	roster->is_reported = true;
	count_bodies(roster, space);
	head.entered = roster->entered;
	put_text(queue, &head, text);
}
