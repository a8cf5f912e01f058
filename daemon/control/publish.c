/* Messages `publish`, `consent` and `unpublish`. A message is read whole before any of it
 * takes effect. */
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
#include "space/people/people.h"
#include "space/spaces.h"

#define HEIGHT_LEAST 0.5
#define HEIGHT_MOST  3.0

/* The fields of `publish` except the space. */
struct announcement {
	int64_t number;
	const char *name;     /* borrowed from the message */
	const char *skeleton; /* borrowed from the message; NULL: `humanoid`, or of the avatar */
	const char *avatar;   /* its hash, borrowed from the message; NULL: none */
	const char *channels[JC_LIMIT_MOTION_CHANNELS]; /* borrowed from the message */
	struct jc_publisher_options options;
	struct jc_description description;
	bool is_placed; /* then: */
	struct jc_stand stand;
	uint64_t party; /* of the client */
};

/* A boolean, or "raw", which permits more than true. */
static void read_consent(struct jc_fields *fields, struct jc_publisher_options *options)
{
	const char *text = json_string_value(json_object_get(fields->object, "mayRecord"));

	options->may_record_raw = text && strcmp(text, "raw") == 0;
	if (options->may_record_raw) {
		options->may_record = true;
	} else if (text) {
		jc_fields_fail(fields, "mayRecord must be true, false or raw");
	} else {
		jc_fields_flag(fields, "mayRecord", &options->may_record);
	}
	jc_fields_flag(fields, "mayRebroadcast", &options->may_rebroadcast);
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

/* The names are borrowed from the message. */
static void read_channels(struct jc_fields *fields, struct announcement *announcement)
{
	const json_t *channels = NULL;
	size_t bytes = 0;

	jc_fields_array(fields, "channels", JC_LIMIT_MOTION_CHANNELS, &channels);
	for (size_t i = 0; i < json_array_size(channels); i++) {
		const char *name = json_string_value(json_array_get(channels, i));

		bytes += name ? strlen(name) : 0;
		if (!name || !name[0] || strlen(name) >= JC_LIMIT_NAME_BYTES ||
			has_before(channels, i, name) || bytes > JC_MAX_CHANNEL_BYTES) {
			jc_fields_fail(fields,
				"channels must be names of 1 to 255 bytes, each once, of at most "
				"4096 bytes together");
			return;
		}
		announcement->channels[i] = name;
	}
	announcement->options.channel_count = json_array_size(channels);
}

static void read_options(struct jc_fields *fields, struct jc_publisher_options *options)
{
	static const char *const kinds[] = { "body-frames", "poses" };
	const char *profile_name = NULL;
	int kind = -1, profile = JC_PROFILE_WEBXR_SPEC;
	double height = 0.0;

	jc_fields_choice(fields, "kind", kinds, 2, &kind);
	options->kind = kind == 0 ? JC_CAPTURE_BODY_FRAME : JC_CAPTURE_POSE;
	if (jc_fields_text(fields, "profile", 0, JC_MAX_MESSAGE_BYTES, &profile_name)) {
		profile = jc_profile_find(profile_name);
	}
	if (profile < 0) {
		jc_fields_fail(fields, "profile must be webxr-spec, meta, pico, htc or slimevr");
	} else {
		options->profile = (enum jc_profile)profile;
	}
	jc_fields_number(fields, "height", HEIGHT_LEAST, HEIGHT_MOST, &height);
	options->height = (float)height;
	jc_fields_flag(fields, "smooth", &options->smooth);
	read_consent(fields, options);
}

static void read_announcement(struct jc_fields *fields, struct announcement *out_announcement)
{
	const json_t *placement = json_object_get(fields->object, "placement");
	struct announcement announcement = { .is_placed = placement != NULL };

	jc_fields_publication(fields, &announcement.number);
	jc_fields_require(fields, "name");
	jc_fields_text(fields, "name", 1, JC_MAX_BODY_NAME - 1, &announcement.name);
	jc_fields_hash(fields, "skeleton", &announcement.skeleton);
	jc_fields_hash(fields, "avatar", &announcement.avatar);
	read_options(fields, &announcement.options);
	read_channels(fields, &announcement);
	jc_fields_fail(fields, jc_description_read(fields->object, &announcement.description));
	if (placement) {
		struct jc_fields inner = jc_fields_of(placement);

		jc_fields_stand(&inner, &announcement.stand);
		jc_fields_fail(fields, inner.wrong[0] ? inner.wrong : NULL);
	}
	*out_announcement = announcement;
}

/* Adds the body to the space. NULL, or the reason why it cannot. */
static const char *enter(const struct announcement *announcement, struct jc_space *space,
	const struct jc_outfit *outfit, struct jc_publication *out_publication)
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
		.asset = outfit->asset,
		.avatar = outfit->avatar,
		.source = source,
		.placement = announcement->is_placed ? &announcement->stand.placement : NULL,
		.seat_height = announcement->stand.seat_height,
	};
	struct jc_publication publication = {
		.space = space, .number = (uint8_t)announcement->number, .source = source
	};

	strcpy(publication.requested_name, announcement->name);
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
	       publication->space == space && strcmp(publication->requested_name, name) == 0;
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
	struct jc_publication publication;
	struct jc_outfit outfit;

	if (!jc_skeletons_outfit(client, jc_space_options(fanout->space)->name,
		    &(struct jc_outfit_hashes){ announcement->skeleton, announcement->avatar },
		    &outfit, "publish")) {
		return;
	}
	announcement->options.channels = announcement->channels;
	announcement->party = jc_fanout_party(fanout, &client->subscriber);
	announcement->options.epoch_ns = services->spaces->clock.epoch_ns;
	make_way(client, announcement->name, fanout->space);
	const char *obstacle = enter(announcement, fanout->space, &outfit, &publication);

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
	jc_reply_answer(client,
		json_pack("{ss si ss sI ss}", "type", "published", "publication",
			publication.number, "space", jc_space_options(fanout->space)->name, "body",
			(json_int_t)publication.body, "name", jc_publication_name(&publication)));
}

void jc_control_publish(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fields fields = jc_fields_of(message);
	struct announcement announcement;

	read_announcement(&fields, &announcement);
	if (jc_fields_refuse(&fields, client, "publish")) {
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
		jc_reply_error(client, "bad-field", "the publication is in use", "publish");
		return;
	}
	struct jc_publication *slot = jc_publications_free(&client->publications);

	if (!slot) {
		jc_reply_error(client, "too-many", "too many publications", "publish");
		return;
	}
	if (count_bodies(client, fanout->space, announcement.name) >=
		client->services->config->bodies_per_person) {
		jc_reply_error(client, "too-many", "you publish too many bodies", "publish");
		return;
	}
	if (!jc_token_bucket_spend(
		    &client->publications.begun, 1, JC_MAX_PUBLISHES_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many bodies a second", "publish");
		return;
	}
	publish(client, &announcement, fanout, slot);
}

static json_t *pack_unpublished(const struct jc_publication *publication)
{
	return json_pack("{ss si}", "type", "unpublished", "publication", publication->number);
}

void jc_publish_end(struct jc_client *client, struct jc_publication *publication)
{
	json_t *message = pack_unpublished(publication);

	jc_publication_end(publication);
	jc_reply_send(client, message);
}

/* The publication that a message names; NULL: the client got an error. */
static struct jc_publication *named_publication(
	struct jc_client *client, const json_t *message, const char *type)
{
	struct jc_fields fields = jc_fields_of(message);
	struct jc_publication *publication;
	int64_t number = 0;

	jc_fields_publication(&fields, &number);
	if (jc_fields_refuse(&fields, client, type)) {
		return NULL;
	}
	publication = jc_publications_find(&client->publications, number);
	if (!publication) {
		jc_reply_error(
			client, "unknown-publication", "no publication of that number", type);
	}
	return publication;
}

void jc_control_consent(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_fields fields = jc_fields_of(message);
	struct jc_publisher_options options = { .may_record = false };
	struct jc_consent consent;

	(void)now_ns;
	read_consent(&fields, &options);
	if (jc_fields_refuse(&fields, client, "consent")) {
		return;
	}
	struct jc_publication *publication = named_publication(client, message, "consent");

	if (!publication) {
		return;
	}
	consent = (struct jc_consent){ options.may_record, options.may_record_raw,
		options.may_rebroadcast };
	jc_space_consent(publication->space, publication->body, &consent);
	jc_reply_answer(client, json_pack("{ss si so sb}", "type", "consented", "publication",
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
		json_t *answer = pack_unpublished(publication);

		jc_publication_end(publication);
		jc_reply_answer(client, answer);
	}
}
