/* Counts the states of sessions. The linker puts __wrap_jc_session_send before the function of
 * the daemon; messages from clients pass through the ops of a session. */
#include "situations.h"

#include <stdbool.h>
#include <string.h>

#include "control/client.h"
#include "control/control.h"
#include "moderation/moderation.h"
#include "net/web_socket.h"

#define SITUATIONS 32768u
#define NEARLY     4u /* lengths below the most, each of which counts */
#define COUNTERS   __attribute__((section("__libfuzzer_extra_counters"), used))

static COUNTERS uint8_t queue_lengths[2][JC_MAX_QUEUED_MESSAGES + 1];
static COUNTERS uint8_t situations[SITUATIONS];

/* The message that the daemon handles; no session: it handles none. */
static struct {
	const struct jc_session *session;
	struct text type;
} handled;

void __real_jc_session_send(struct jc_session *session, const char *text, size_t length);
void __wrap_jc_session_send(struct jc_session *session, const char *text, size_t length);

uint64_t situations_hash(const void *bytes, size_t length, uint64_t before)
{
	uint64_t hash = before ^ UINT64_C(14695981039346656037);

	for (size_t i = 0; i < length; i++) {
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
	}
	return hash ^ hash >> 32;
}

struct text situations_type(struct text message)
{
	static const char mark[] = "\"type\":\"";
	/* An empty message may point to no bytes. */
	const char *found = message.length > 0
				    ? memmem(message.bytes, message.length, mark, sizeof(mark) - 1)
				    : NULL;

	if (found) {
		size_t at = (size_t)(found - message.bytes) + sizeof(mark) - 1;
		struct text type = { message.bytes + at, 0 };

		while (at < message.length && type.length < 16 && message.bytes[at++] != '"') {
			type.length++;
		}
		return type;
	}
	return (struct text){ message.bytes, message.length < 2 ? message.length : 2 };
}

/* Types that the daemon does not know are one, or each of them would count. */
static uint64_t type_hash(struct text type)
{
	static const char *const known[] = { "hello", "token", "join", "leave", "subscribe",
		"unsubscribe", "viewpoint", "ignore", "keyframe", "ack", "publish", "consent",
		"unpublish", "amend", "place", "stage", "calibrate", "skeleton", "skeletons",
		"unregister", "record", "replay", "moderate", "administer", "ping", "wait", "tick",
		"sweep", "nokeys", "keys", "revoke", "reload", "remember", "end", "connect",
		"hangup", "close", "stall", "resume" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i]) == type.length &&
			memcmp(known[i], type.bytes, type.length) == 0) {
			return situations_hash(type.bytes, type.length, 0);
		}
	}
	return type.length > 0 && type.bytes[0] == '#';
}

static void mark(uint64_t type, uint32_t what)
{
	situations[situations_hash(&what, sizeof(what), type) % SITUATIONS] = 1;
}

/* Each length that is nearly the most, and else the powers of two. */
static uint32_t depth_of(size_t length)
{
	uint32_t depth = 0;

	if (length + NEARLY >= JC_MAX_QUEUED_MESSAGES) {
		return (uint32_t)(16 + length + NEARLY - JC_MAX_QUEUED_MESSAGES);
	}
	for (size_t rest = length; rest > 0; rest /= 2) {
		depth++;
	}
	return depth;
}

/* Which kinds of sanctions hold. */
static uint32_t sanctions_of(const struct jc_session *session)
{
	const struct jc_sanctions *sanctions =
		jc_moderation_sanctions(session->client->services->moderation);
	uint32_t kinds = 0;

	for (size_t i = 0; i < sanctions->count; i++) {
		kinds |= 1u << sanctions->list[i].kind;
	}
	return kinds;
}

/* 2: one of its bodies is muted, 1: one is hidden. */
static uint32_t moderation_of(const struct jc_session *session)
{
	uint32_t moderation = 0;

	for (size_t i = 0; i < session->client->publications.count; i++) {
		const struct jc_publication *publication = &session->client->publications.list[i];

		if (publication->space) {
			const struct jc_body *body =
				jc_space_find(publication->space, publication->body);

			moderation |= (uint32_t)body->is_muted << 1 | body->is_hidden;
		}
	}
	return moderation;
}

/* The state of a session before and after a message. */
static void on_text(struct jc_session *session, const char *text, size_t length, int64_t now_ns)
{
	handled.session = session;
	handled.type = situations_type((struct text){ text, length });
	uint64_t type = type_hash(handled.type);

	mark(type, 0x800 | depth_of(session->queue.length));
	mark(type, 0x4000 | sanctions_of(session) << 6 | depth_of(session->queue.length));
	jc_control_ops.text(session, text, length, now_ns);
	mark(type, 0x8000 | moderation_of(session) << 6 | depth_of(session->queue.length));
	handled.session = NULL;
}

void situations_watch(struct crowd *crowd)
{
	static struct jc_session_ops ops;

	ops = jc_control_ops;
	ops.text = on_text;
	crowd->server.options.session_ops = &ops;
}

/* Recipients of each message, and the length of their queues. */
void __wrap_jc_session_send(struct jc_session *session, const char *text, size_t length)
{
	struct text type = situations_type((struct text){ text, length });
	uint64_t sent = situations_hash(type.bytes, type.length, 0);
	uint32_t depth = depth_of(session->queue.length);

	if (handled.session) {
		mark(sent ^ type_hash(handled.type) << 1,
			0x1000 | depth << 1 | (session == handled.session));
	} else {
		mark(sent, 0x2000 | depth);
	}
	__real_jc_session_send(session, text, length);
}

/* The state of a session that affects messages. */
struct situation {
	size_t queue_length;
	bool is_greeted, is_known, is_closing, watches, shares, is_alone, publishes, ignores,
		calibrates;
};

static struct situation situation_of(const struct crowd_guest *guest)
{
	const struct jc_session *session =
		guest->connection ? &guest->connection->web_socket->session : NULL;
	struct situation situation = { 0 };

	if (!session) {
		return situation;
	}
	situation = (struct situation){ .queue_length = session->queue.length,
		.is_greeted = session->client->greeted,
		.is_known = session->client->grant != NULL,
		.is_closing = session->close_code != 0,
		.ignores = session->client->subscriber.ignoring > 0,
		.calibrates = session->client->calibrating != NULL };
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		const struct jc_view *view = session->client->views[i];

		if (view && view->fanout) {
			situation.watches = true;
			situation.shares |= view->shared_view != NULL;
			situation.is_alone |= view->private_view != NULL;
		}
	}
	for (size_t i = 0; i < session->client->publications.count; i++) {
		situation.publishes |= session->client->publications.list[i].space != NULL;
	}
	return situation;
}

/* 2: it is full, 1: nearly. */
static uint32_t fullness(size_t queue_length)
{
	return queue_length == JC_MAX_QUEUED_MESSAGES ? 2
						      : queue_length >= JC_MAX_QUEUED_MESSAGES - 2;
}

void situations_note(const struct crowd *crowd, struct text step, const struct crowd_guest *actor)
{
	uint64_t type = type_hash(step);
	struct situation all = { 0 };
	size_t longest = 0, second = 0;
	uint32_t is_closed = 0;

	const struct jc_sanctions *sanctions = jc_moderation_sanctions(crowd->services.moderation);

	for (size_t i = 0; i < CROWD_GUESTS; i++) {
		struct situation one = situation_of(&crowd->guests[i]);

		if (&crowd->guests[i] == actor) {
			mark(type, 0x100 | one.is_greeted | (uint32_t)one.is_known << 1 |
					   (uint32_t)one.is_closing << 2 |
					   (uint32_t)one.watches << 3 |
					   (uint32_t)one.publishes << 4 |
					   (uint32_t)one.calibrates << 5);
			mark(type, 0x200 | one.ignores | (uint32_t)one.shares << 1 |
					   (uint32_t)one.is_alone << 2 |
					   (uint32_t)(one.queue_length > 0) << 3 |
					   fullness(one.queue_length) << 4 |
					   (uint32_t)(sanctions->count > 0) << 6);
		}
		all.ignores |= one.ignores;
		all.calibrates |= one.calibrates;
		second = one.queue_length > longest  ? longest
			 : one.queue_length > second ? one.queue_length
						     : second;
		longest = one.queue_length > longest ? one.queue_length : longest;
	}
	for (size_t i = 0; i < crowd->spaces.count; i++) {
		is_closed |= crowd->spaces.fanouts[i]->is_closed;
	}
	mark(type, 0x400 | is_closed << 6 | all.ignores | (uint32_t)all.calibrates << 1 |
			   fullness(longest) << 2 | fullness(second) << 4);
	queue_lengths[0][longest] = 1;
	queue_lengths[1][second] = 1;
}
