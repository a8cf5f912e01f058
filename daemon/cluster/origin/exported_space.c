/* Follows a space and publishes what changes; the requests of edges are in export_requests.c. */
#include "cluster/origin/exported_space.h"

#include <stdlib.h>
#include <string.h>

#include <time.h>

#include "cluster/guest/guest_message.h"
#include "cluster/origin/export_private.h"
#include "cluster/policy_message.h"
#include "invitation/invitations.h"
#include "moderation/sanction_history.h"

#define GUESTS_NS INT64_C(1000000000) /* keys of creators may be revoked too */

const char *const jc_export_text_keys[JC_SPACE_TEXTS] = {
	[JC_SPACE_TEXT_PROPS] = "props",
	[JC_SPACE_TEXT_REPLAYING] = "replaying",
};

void jc_export_publish(
	const struct jc_exported_space *exported, const char *subject, json_t *message)
{
	struct jc_outlet *outlet = exported->source->outlet;
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

	if (text) {
		outlet->ops->publish_parts(outlet, subject, text, strlen(text));
	}
	free(text);
	json_decref(message);
}

json_t *jc_export_head(const struct jc_exported_space *exported)
{
	char epoch[17];

	snprintf(epoch, sizeof(epoch), "%llx", (unsigned long long)exported->epoch);
	return json_pack("{ss ss}", "epoch", epoch, "incarnation", exported->source->incarnation);
}

void jc_export_publish_change(struct jc_exported_space *exported, const char *key, json_t *value)
{
	json_t *message = jc_export_head(exported);

	json_object_set_new(message, key, value);
	jc_export_publish(exported, exported->subject, message);
}

static void on_roster_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	struct jc_exported_space *exported = jc_export_of_subscriber(subscriber);
	jc_exported_people_follow(exported);

	json_t *message = jc_export_head(exported);

	json_object_set_new(message, "revision",
		json_integer((json_int_t)jc_space_revision(view->fanout->space)));
	json_object_set_new(
		message, "change", json_string(jc_shared_text_chars(announcement->change)));
	jc_export_publish(exported, exported->subject, message);
}

/* A text that is no longer composed, such as that of the last replay, is replaced by the change. */
static void on_text_changed(struct jc_subscriber *subscriber, struct jc_view *view,
	enum jc_space_text which, struct jc_shared_text *change)
{
	struct jc_exported_space *exported = jc_export_of_subscriber(subscriber);
	struct jc_shared_text *whole = jc_fanout_text(view->fanout, which);
	json_t *message = jc_export_head(exported);

	json_object_set_new(message, "key", json_string(jc_export_text_keys[which]));
	json_object_set_new(
		message, "text", json_string(jc_shared_text_chars(whole ? whole : change)));
	jc_export_publish(exported, exported->subject, message);
	jc_shared_text_drop(whole);
}

static bool is_ready(const struct jc_subscriber *subscriber)
{
	(void)subscriber;
	return true;
}

static const struct jc_subscriber_ops subscriber_ops = {
	.is_ready = is_ready, .roster_changed = on_roster_changed, .text_changed = on_text_changed
};

static void on_encoded(
	struct jc_sink *sink, const struct jc_space *space, uint32_t tick, int64_t now_ns)
{
	struct jc_exported_space *exported = (struct jc_exported_space *)sink;

	(void)space;
	(void)now_ns;
	for (size_t i = 0; i < exported->view_count; i++) {
		jc_exported_view_ticked(exported->views[i], tick);
	}
}

static void end_view(struct jc_exported_space *exported, size_t at)
{
	struct jc_exported_view *view = exported->views[at];

	exported->frames += view->frames;
	exported->rejoins += view->rejoins;
	jc_exported_view_end(view);
	free(view);
	exported->views[at] = exported->views[--exported->view_count];
}

/* Leaves the space, whose sink it is no longer. */
static void leave(struct jc_exported_space *exported)
{
	while (exported->view_count > 0) {
		end_view(exported, 0);
	}
	jc_view_leave(&exported->view);
	jc_exported_people_leave(exported);
	exported->fanout->remote_count = 0;
	exported->fanout = NULL;
}

/* The space closes; the origin destroys the rest later. */
static void on_space_destroyed(struct jc_sink *sink)
{
	leave((struct jc_exported_space *)sink);
}

static const struct jc_sink_ops sink_ops = { .encoded = on_encoded, .destroy = on_space_destroyed };

void jc_exported_space_lost(struct jc_exported_space *exported)
{
	if (exported->fanout) {
		jc_export_publish_change(exported, "lost", json_true());
	}
}

void jc_exported_space_remove(struct jc_exported_space *exported, const char *who, const char *text,
	bool spares_administrators)
{
	jc_export_publish_change(exported, "moderated",
		json_pack("{ss ss sb}", "who", who, "text", text, "sparesAdministrators",
			(int)spares_administrators));
}

static char *pack_sanctions(const struct jc_exported_space *exported)
{
	json_t *list = jc_policy_message_pack_sanctions(
		&exported->source->sanctions->in_force, exported->name);
	char *text = json_dumps(list, JSON_COMPACT);

	json_decref(list);
	return text;
}

json_t *jc_export_guests(const struct jc_exported_space *exported)
{
	const struct jc_export *source = exported->source;

	return jc_guest_message_pack(
		source->invitations, source->keyring, exported->name, (int64_t)time(NULL));
}

void jc_export_policy(const struct jc_exported_space *exported, struct jc_space_policy *out_policy)
{
	memcpy(out_policy, &exported->fanout->policy, sizeof(*out_policy));
	out_policy->has_recordings = exported->source->has_recordings;
	out_policy->needs_token = exported->source->needs_token;
}

/* Differs from that of other exports, so that no edge takes frames of one origin for those of
 * another: Fowler, Noll and Vo's hash of what identifies this one. */
static uint32_t number_of(
	const struct jc_export *source, const struct jc_fanout *fanout, uint64_t epoch)
{
	char text[JC_MAX_INCARNATION + 40];
	uint32_t number = 2166136261u;

	snprintf(text, sizeof(text), "%s %llx %x", source->incarnation, (unsigned long long)epoch,
		(unsigned)jc_space_options(fanout->space)->id);
	for (const char *c = text; *c; c++) {
		number = (number ^ (uint8_t)*c) * 16777619u;
	}
	return number;
}

int jc_exported_space_create(const struct jc_export *source, struct jc_fanout *fanout,
	uint64_t epoch, struct jc_exported_space **out_exported)
{
	struct jc_exported_space *exported = calloc(1, sizeof(*exported));

	if (!exported) {
		return JC_ERROR_MEMORY;
	}
	exported->sink = (struct jc_sink){ .ops = &sink_ops, .is_aside = true };
	exported->subscriber = (struct jc_subscriber){ .ops = &subscriber_ops, .is_aside = true };
	exported->source = source;
	exported->fanout = fanout;
	exported->epoch = epoch;
	exported->number = number_of(source, fanout, epoch);
	strcpy(exported->name, jc_space_options(fanout->space)->name);
	jc_subject_of_space(exported->name, JC_SUBJECT_STATE, exported->subject);
	jc_export_policy(exported, &exported->policy);
	exported->is_closed = jc_export_is_closed(fanout);
	exported->closings = fanout->closings;
	exported->sanctions_revision = source->sanctions->in_force.revision;
	exported->sanctions = pack_sanctions(exported);
	jc_exported_people_begin(exported);
	jc_space_add_sink(fanout->space, &exported->sink);
	jc_view_join(&exported->view, fanout, &exported->subscriber);
	*out_exported = exported;
	return JC_OK;
}

void jc_exported_space_destroy(struct jc_exported_space *exported)
{
	if (!exported) {
		return;
	}
	if (exported->fanout) {
		jc_space_remove_sink(exported->fanout->space, &exported->sink);
		leave(exported);
	}
	jc_interest_finish(&exported->interest);
	jc_exported_people_finish(&exported->people);
	free(exported->sanctions);
	free(exported->guests);
	free(exported);
}

/* Whether a view is among the wanted ones. */
static bool is_wanted(const struct jc_exported_view *view,
	const struct jc_wanted_view *const wanted[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(wanted[i]->token, view->wanted.token) == 0) {
			return true;
		}
	}
	return false;
}

static int begin_view(struct jc_exported_space *exported, const struct jc_wanted_view *wanted)
{
	const struct jc_exporter exporter = { exported->source->clock, exported->source->outlet,
		exported->number };
	struct jc_exported_view *view;
	int status;

	if (jc_export_find_view(exported, wanted->token)) {
		return JC_OK;
	}
	view = malloc(sizeof(*view));
	status = view ? jc_exported_view_begin(view, exported->fanout, wanted, &exporter)
		      : JC_ERROR_MEMORY;
	if (status != JC_OK) {
		free(view);
		return status;
	}
	exported->views[exported->view_count++] = view;
	return JC_OK;
}

int jc_export_follow_interest(struct jc_exported_space *exported)
{
	const struct jc_wanted_view *wanted[JC_MAX_EXPORTED_VIEWS];
	size_t count = jc_interest_views(&exported->interest, wanted);
	int status = JC_OK;

	for (size_t i = exported->view_count; i-- > 0;) {
		if (!is_wanted(exported->views[i], wanted, count)) {
			end_view(exported, i);
		}
	}
	for (size_t i = 0; i < count; i++) {
		int begun = begin_view(exported, wanted[i]);

		status = status == JC_OK ? begun : status;
	}
	/* A false statement of one edge does not keep all others out. */
	exported->fanout->remote_count =
		jc_interest_watched(&exported->interest, exported->fanout->policy.subscribers / 2);
	return status;
}

static void publish_sanctions(struct jc_exported_space *exported)
{
	char *text = pack_sanctions(exported);

	exported->sanctions_revision = exported->source->sanctions->in_force.revision;
	if (text && (!exported->sanctions || strcmp(text, exported->sanctions) != 0)) {
		free(exported->sanctions);
		exported->sanctions = text;
		jc_export_publish_change(exported, "sanctions", json_loads(text, 0, NULL));
	} else {
		free(text);
	}
}

/* Publishes the guests if they changed: those that a state has given before are among them. */
static void follow_guests(struct jc_exported_space *exported, int64_t now_ns)
{
	struct jc_invitations *invitations = exported->source->invitations;
	uint64_t revision = invitations ? jc_invitations_revision(invitations) : 0;
	json_t *guests;
	char *text;

	if (!invitations || (revision == exported->guests_revision &&
				    now_ns - exported->guests_ns < GUESTS_NS)) {
		return;
	}
	exported->guests_revision = revision;
	exported->guests_ns = now_ns;
	guests = jc_export_guests(exported);
	text = guests ? json_dumps(guests, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	if (text && (!exported->guests || strcmp(text, exported->guests) != 0)) {
		free(exported->guests);
		exported->guests = text;
		jc_export_publish_change(exported, "guests", guests);
	} else {
		free(text);
		json_decref(guests);
	}
}

void jc_exported_space_sweep(struct jc_exported_space *exported, int64_t now_ns)
{
	const struct jc_fanout *fanout = exported->fanout;
	struct jc_space_policy policy;

	if (!fanout) {
		return;
	}
	if (jc_interest_expire(&exported->interest, now_ns)) {
		jc_export_follow_interest(exported);
	}
	/* Clients leave a space that stays open too, and may come back. */
	bool is_closed = jc_export_is_closed(fanout) || exported->closings != fanout->closings;

	exported->closings = fanout->closings;
	jc_export_policy(exported, &policy);
	if (memcmp(&exported->policy, &policy, sizeof(policy)) != 0 ||
		exported->is_closed != is_closed) {
		memcpy(&exported->policy, &policy, sizeof(policy));
		exported->is_closed = is_closed;
		jc_export_publish_change(
			exported, "policy", jc_policy_message_pack(&policy, is_closed));
	}
	if (exported->sanctions_revision != exported->source->sanctions->in_force.revision) {
		publish_sanctions(exported);
	}
	follow_guests(exported, now_ns);
	jc_exported_people_sweep(exported, now_ns);
}

void jc_exported_space_count(
	const struct jc_exported_space *exported, uint64_t *out_frames, uint64_t *out_rejoins)
{
	*out_frames = exported->frames;
	*out_rejoins = exported->rejoins;
	for (size_t i = 0; i < exported->view_count; i++) {
		*out_frames += exported->views[i]->frames;
		*out_rejoins += exported->views[i]->rejoins;
	}
}
