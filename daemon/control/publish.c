/* A message is read whole before anything is made of it; each field has one line
 * that says what it should have been. */
#include "control/publish.h"
#include "control/messages.h"

#include <stdlib.h>
#include <string.h>

#include "auth/auth_policy.h"
#include "base/log.h"
#include "config/config.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/fields.h"
#include "control/moderate.h"
#include "control/named_space.h"
#include "control/reply.h"
#include "control/skeletons.h"
#include "net/session.h"
#include "source/calibration_store.h"
#include "space/description.h"
#include "space/spaces.h"

#define NUMBER_MAX   255
#define HEIGHT_LEAST 0.5
#define HEIGHT_MOST  3.0

/* What `publish` says, but for the space. */
struct announcement {
	int64_t number;
	const char *name;                               /* borrowed from the message */
	const char *skeleton;                           /* likewise; NULL: the built-in one */
	const char *channels[JC_LIMIT_MOTION_CHANNELS]; /* likewise */
	struct jc_publisher_options options;
	struct jc_description description;
	bool is_placed; /* so: */
	struct jc_stand stand;
	uint64_t party; /* whose it is */
};

/* A boolean that may be missing. */
static bool read_flag(const json_t *message, const char *key, bool *out_flag)
{
	const json_t *value = json_object_get(message, key);

	*out_flag = json_is_true(value);
	return !value || json_is_boolean(value);
}

/* A boolean, or "raw" for more than true says. */
static bool read_consent(const json_t *message, struct jc_publisher_options *options)
{
	const char *text = json_string_value(json_object_get(message, "mayRecord"));

	options->may_record_raw = text && strcmp(text, "raw") == 0;
	if (options->may_record_raw) {
		options->may_record = true;
		return true;
	}
	return read_flag(message, "mayRecord", &options->may_record);
}

static bool has_before(const json_t *list, size_t index, const char *text)
{
	for (size_t i = 0; i < index; i++) {
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0) {
			return true;
		}
	}
	return false;
}

/* The names stay the message's. */
static bool read_channels(const json_t *channels, struct announcement *announcement)
{
	struct jc_publisher_options *options = &announcement->options;
	size_t bytes = 0;

	if (channels && !json_is_array(channels)) {
		return false;
	}
	if (json_array_size(channels) > JC_LIMIT_MOTION_CHANNELS) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(channels); i++) {
		const char *name = json_string_value(json_array_get(channels, i));

		if (!name || !name[0] || strlen(name) >= JC_LIMIT_NAME_BYTES ||
			has_before(channels, i, name)) {
			return false;
		}
		bytes += strlen(name);
		if (bytes > JC_MAX_CHANNEL_BYTES) {
			return false;
		}
		announcement->channels[i] = name;
	}
	options->channel_count = json_array_size(channels);
	return true;
}

static bool read_kind(const json_t *kind, struct jc_publisher_options *options)
{
	const char *name = json_string_value(kind);

	if (name && strcmp(name, "body-frames") == 0) {
		options->kind = JC_CAPTURE_BODY_FRAME;
	} else if (name && strcmp(name, "poses") == 0) {
		options->kind = JC_CAPTURE_POSE;
	} else {
		return false;
	}
	return true;
}

static bool read_profile(const json_t *profile, struct jc_publisher_options *options)
{
	const char *name = json_string_value(profile);
	int found = profile ? (name ? jc_profile_find(name) : -1) : JC_PROFILE_WEBXR_SPEC;

	if (found < 0) {
		return false;
	}
	options->profile = (enum jc_profile)found;
	return true;
}

static bool read_height(const json_t *height, struct jc_publisher_options *options)
{
	double metres = json_number_value(height);

	options->height = (float)metres;
	return !height ||
	       (json_is_number(height) && metres >= HEIGHT_LEAST && metres <= HEIGHT_MOST);
}

/* NULL, or what is wrong with it. */
static const char *read_announcement(const json_t *message, struct announcement *out_announcement)
{
	struct announcement announcement = {
		.number = json_integer_value(json_object_get(message, "publication")),
		.name = json_string_value(json_object_get(message, "name")),
		.skeleton = json_string_value(json_object_get(message, "skeleton")),
	};
	struct jc_publisher_options *options = &announcement.options;

	if (!json_is_integer(json_object_get(message, "publication")) || announcement.number < 0 ||
		announcement.number > NUMBER_MAX) {
		return "publication is an integer from 0 to 255";
	}
	if (!jc_description_is_name(announcement.name)) {
		return "name is 1 to 63 bytes without control characters";
	}
	if (!read_kind(json_object_get(message, "kind"), options)) {
		return "kind is body-frames or poses";
	}
	if (!read_profile(json_object_get(message, "profile"), options)) {
		return "profile is webxr-spec, meta, pico, htc or slimevr";
	}
	if (!read_height(json_object_get(message, "height"), options)) {
		return "height is from 0.5 to 3";
	}
	if (json_object_get(message, "skeleton") && !announcement.skeleton) {
		return "skeleton is a hash";
	}
	if (!read_channels(json_object_get(message, "channels"), &announcement)) {
		return "channels is a list of at most 256 names, each once";
	}
	if (!read_flag(message, "smooth", &options->smooth) || !read_consent(message, options) ||
		!read_flag(message, "mayRebroadcast", &options->may_rebroadcast)) {
		return "smooth and mayRebroadcast are booleans, mayRecord is one or raw";
	}
	const json_t *placement = json_object_get(message, "placement");
	const char *wrong = jc_description_read(message, &announcement.description);

	announcement.is_placed = placement != NULL;
	if (!wrong && placement) {
		wrong = jc_fields_stand(placement, &announcement.stand);
	}
	if (wrong) {
		return wrong;
	}
	*out_announcement = announcement;
	return NULL;
}

/* The body enters; NULL, or what stands against it. */
static const char *enter(const struct announcement *announcement, struct jc_space *space,
	struct jc_skeleton_asset *asset, struct jc_publication *out_publication)
{
	struct jc_source *source;

	if (jc_publisher_source_create(&announcement->options, &source) != JC_OK) {
		return "out of memory";
	}
	source->party = announcement->party;
	struct jc_entry entry = {
		.name = announcement->name,
		.display = announcement->description.display,
		.about = jc_description_about(&announcement->description),
		.asset = asset,
		.source = source,
		.placement = announcement->is_placed ? &announcement->stand.placement : NULL,
		.seat_height = announcement->stand.seat_height,
	};
	struct jc_publication publication = {
		.space = space, .number = (uint8_t)announcement->number, .source = source
	};

	strcpy(publication.asked, announcement->name);
	if (jc_space_enter(space, &entry, &publication.body) != JC_OK) {
		source->ops->destroy(source);
		free(entry.about);
		return "the space is full";
	}
	*out_publication = publication;
	return NULL;
}

/* Whether a publication of another connection ends for a body of that name: the same subject
 * publishes it again, after a connection that broke and is not closed yet. */
static bool makes_way(const struct jc_client *client, const struct jc_client *other,
	const struct jc_publication *publication, const struct jc_space *space, const char *name)
{
	return other != client && client->grant && other->grant &&
	       strcmp(other->grant->subject, client->grant->subject) == 0 &&
	       publication->space == space && strcmp(publication->asked, name) == 0;
}

static size_t count_staying(const struct jc_client *client, const struct jc_client *other,
	const struct jc_space *space, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < other->publications.count; i++) {
		const struct jc_publication *publication = &other->publications.list[i];

		count += publication->space && !makes_way(client, other, publication, space, name);
	}
	return count;
}

/* Bodies that the subject, or the address where there is no token, publishes over all its
 * connections, except those that make way for one of that name. */
static size_t count_bodies(
	const struct jc_client *client, const struct jc_space *space, const char *name)
{
	char own[JC_MAX_WHO], who[JC_MAX_WHO];
	size_t count = 0;

	jc_admission_who(client, own);
	for (const struct jc_client *at = client->control->clients; at; at = at->next) {
		size_t bodies =
			at->session->close_code ? 0 : count_staying(client, at, space, name);

		if (bodies > 0) {
			jc_admission_who(at, who);
			count += strcmp(who, own) == 0 ? bodies : 0;
		}
	}
	return count;
}

static void make_way(struct jc_client *client, const char *name, const struct jc_space *space)
{
	for (struct jc_client *at = client->control->clients; at; at = at->next) {
		struct jc_client *other = at;

		for (size_t i = 0; other && i < other->publications.count; i++) {
			struct jc_publication *publication = &other->publications.list[i];

			if (makes_way(client, other, publication, space, name)) {
				jc_publish_end(other, publication);
			}
		}
	}
}

static void publish(struct jc_client *client, struct announcement *announcement,
	struct jc_fanout *fanout, struct jc_publication *slot)
{
	const struct jc_services *services = client->services;
	struct jc_skeleton_asset *asset = jc_skeletons_find(client, announcement->skeleton);
	struct jc_publication publication;

	if (!asset) {
		jc_reply_error(client, "bad-field", "no skeleton of that hash", "publish");
		return;
	}
	announcement->options.channels = announcement->channels;
	announcement->party = client->subscriber.party;
	announcement->options.epoch_ns = services->spaces->clock.epoch_ns;
	make_way(client, announcement->name, fanout->space);
	const char *obstacle = enter(announcement, fanout->space, asset, &publication);

	if (!obstacle) {
		jc_calibration_store_restore(services->state, jc_publication_name(&publication),
			publication.source, services->log);
	}
	if (obstacle) {
		jc_reply_error(client, "too-many", obstacle, "publish");
		return;
	}
	*slot = publication;
	jc_moderate_client(client);
	jc_log_event(services->log, JC_LOG_INFO,
		&(struct jc_log_about){ .space = jc_space_options(fanout->space)->name,
			.body = announcement->name,
			.source = "publisher",
			.state = "waiting" },
		"'%s' is published in space '%s'", announcement->name,
		jc_space_options(fanout->space)->name);
	jc_reply_send(client,
		json_pack("{ss si ss sI ss}", "type", "published", "publication",
			publication.number, "space", jc_space_options(fanout->space)->name, "body",
			(json_int_t)publication.body, "name", jc_publication_name(&publication)));
}

void jc_control_publish(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct announcement announcement;
	const char *wrong = read_announcement(message, &announcement);

	if (wrong) {
		jc_reply_error(client, "bad-field", wrong, "publish");
		return;
	}
	struct jc_fanout *fanout =
		jc_named_space_enter(client, message, JC_ROLE_PUBLISH, "publish");

	if (!fanout) {
		return;
	}
	const char *space = jc_space_options(fanout->space)->name;

	if (!jc_admission_allows(client, JC_ROLE_PUBLISH, space, "publish") ||
		!jc_admission_allows_body(client, space, announcement.name, "publish")) {
		return;
	}
	if (jc_publications_find(&client->publications, announcement.number)) {
		jc_reply_error(client, "bad-field", "the publication is taken", "publish");
		return;
	}
	struct jc_publication *slot = jc_publications_free(&client->publications);

	if (!slot) {
		jc_reply_error(client, "too-many", "too many publications", "publish");
		return;
	}
	if (count_bodies(client, fanout->space, announcement.name) >=
		client->services->config->bodies_per_person) {
		jc_reply_error(client, "too-many", "too many bodies of yours", "publish");
		return;
	}
	if (!jc_token_bucket_spend(
		    &client->publications.begun, 1, JC_MAX_PUBLISHES_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many bodies a second", "publish");
		return;
	}
	publish(client, &announcement, fanout, slot);
}

void jc_publish_end(struct jc_client *client, struct jc_publication *publication)
{
	int told = publication->number;

	jc_publication_end(publication);
	jc_reply_send(client, json_pack("{ss si}", "type", "unpublished", "publication", told));
}

/* The publication that a message names; NULL after saying why there is none. */
static struct jc_publication *named_publication(
	struct jc_client *client, const json_t *message, const char *type)
{
	const json_t *number = json_object_get(message, "publication");
	struct jc_publication *publication;

	if (!json_is_integer(number)) {
		jc_reply_error(client, "bad-field", "publication is an integer", type);
		return NULL;
	}
	publication = jc_publications_find(&client->publications, json_integer_value(number));
	if (!publication) {
		jc_reply_error(
			client, "unknown-publication", "no publication of that number", type);
	}
	return publication;
}

void jc_control_consent(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_publication *publication = named_publication(client, message, "consent");
	struct jc_publisher_options options = { .may_record = false };
	struct jc_consent consent;

	(void)now_ns;
	if (!publication) {
		return;
	}
	if (!read_consent(message, &options) ||
		!read_flag(message, "mayRebroadcast", &options.may_rebroadcast)) {
		jc_reply_error(client, "bad-field",
			"mayRebroadcast is a boolean, mayRecord is one or raw", "consent");
		return;
	}
	consent = (struct jc_consent){ options.may_record, options.may_record_raw,
		options.may_rebroadcast };
	jc_space_consent(publication->space, publication->body, &consent);
	jc_reply_send(client, json_pack("{ss si so sb}", "type", "consented", "publication",
				      publication->number, "mayRecord",
				      consent.may_record_raw ? json_string("raw")
							     : json_boolean(consent.may_record),
				      "mayRebroadcast", consent.may_rebroadcast));
}

void jc_control_unpublish(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_publication *publication = named_publication(client, message, "unpublish");

	(void)now_ns;
	if (publication) {
		jc_publish_end(client, publication);
	}
}
