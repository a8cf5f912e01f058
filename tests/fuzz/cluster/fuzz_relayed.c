/* What an edge reads from an origin: states, changes, frames, rejoin packets and skeletons, in any
 * order. The input is a list of messages: u8 kind, u16 length, bytes. Every bundle of the edge is
 * well formed, and has only bodies of its roster, each once. */
#include "../target.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/ticker.h"
#include "cluster/edge/relayed_space.h"
#include "cluster/frame_message.h"
#include "cluster/guest/guest_passes.h"
#include "fake_link.h"
#include "moderation/sanctions.h"
#include "space/fanout.h"

#define INCARNATION "0123456789abcdef"
#define STEPS       64

enum kind { CHANGE, STATE, FRAME, REJOIN, SKELETON, PART, TIME, WATCH, KINDS };

struct watcher {
	struct jc_subscriber base;
	struct jc_view view;
	bool has_head;
	struct jc_bundle_head head;
};

struct scene {
	struct jc_spaces spaces;
	struct jc_sanctions sanctions;
	struct jc_guest_passes guests;
	struct jc_nats_link link;
	struct jc_log log;
	struct jc_relayed_context context;
	struct jc_relayed_space *relayed;
	struct watcher watchers[2]; /* of a shared view, and of a private one */
	int64_t ahead_ns;
};

static bool is_ready(const struct jc_subscriber *subscriber)
{
	(void)subscriber;
	return true;
}

static enum jc_delivery on_bundle(struct jc_subscriber *base, uint8_t *bytes, size_t length)
{
	struct watcher *watcher = (struct watcher *)base;
	const struct jc_space *space = watcher->view.fanout->space;
	uint32_t seen[JC_MAX_BODIES];
	size_t count = 0;
	int at = jc_bundle_read_head(
		bytes, length, watcher->has_head ? &watcher->head : NULL, &watcher->head);

	assert(at > 0);
	watcher->has_head = true;
	while ((size_t)at < length) {
		struct jc_packet_head head;
		const uint8_t *payload;
		size_t size;
		int used = jc_bundle_read_packet(
			bytes + at, length - (size_t)at, &head, &payload, &size);

		assert(used > 0);
		assert(jc_space_find(space, head.body) && count < JC_MAX_BODIES);
		for (size_t i = 0; i < count; i++) {
			assert(seen[i] != head.body);
		}
		seen[count++] = head.body;
		at += used;
	}
	return JC_DELIVERED;
}

static void on_roster_changed(struct jc_subscriber *base, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	(void)base;
	(void)view;
	assert(announcement->change);
}

static void on_shown(struct jc_subscriber *base, struct jc_view *view, const struct jc_shown *shown,
	size_t count)
{
	(void)base;
	(void)view;
	(void)shown;
	(void)count;
}

static const struct jc_subscriber_ops watcher_ops = { .is_ready = is_ready,
	.bundle = on_bundle,
	.roster_changed = on_roster_changed,
	.shown = on_shown };

static void ignore_waiting(void *owner)
{
	(void)owner;
}

static void ignore_closed(void *owner, struct jc_fanout *fanout)
{
	(void)owner;
	(void)fanout;
}

static void on_removed(void *owner, struct jc_fanout *fanout, const char *who, const char *text,
	bool spares_administrators)
{
	(void)owner;
	(void)spares_administrators;
	assert(fanout && who && text);
}

static void watch(struct scene *scene, size_t which)
{
	struct watcher *watcher = &scene->watchers[which];
	struct jc_fanout *fanout = jc_spaces_find(&scene->spaces, "lobby");
	struct jc_view_options options = { .spec = { .chains = true,
						   .precision = JC_PRECISION_STANDARD,
						   .rate = 1,
						   .sections = JC_STREAM_ALL } };

	if (watcher->view.fanout) {
		jc_view_leave(&watcher->view);
	} else if (fanout) {
		*watcher = (struct watcher){ .base = { .ops = &watcher_ops, .party = 5 } };
		options.budget = which == 1 ? 20000 : 0;
		options.asset = which == 1 ? scene->spaces.skeleton_table.humanoid : NULL;
		jc_view_join(&watcher->view, fanout, &watcher->base);
		jc_view_subscribe(&watcher->view, &options, false);
	}
}

/* Answers the requests for the time: the origin's is the same. */
static void answer_clocks(struct scene *scene)
{
	for (struct fake_request *at; (at = fake_link_find(&scene->link, "\"clock\""));) {
		char text[200], *t = strstr(at->text, "\"t\":");
		int length = snprintf(text, sizeof(text), "{\"t\":%lld,\"time\":%lld}",
			atoll(t + 4), atoll(t + 4));

		fake_link_answer(&scene->link, at->reply, text, (size_t)length);
	}
	for (struct fake_request *at; (at = fake_link_find(&scene->link, "\"interest\""));) {
		fake_link_answer(&scene->link, at->reply, "{\"expires\":6}", 13);
	}
}

static void sweep(struct scene *scene, int64_t ns)
{
	scene->ahead_ns += ns;
	jc_relayed_space_sweep(scene->relayed, jc_clock_now_ns() + scene->ahead_ns);
	answer_clocks(scene);
}

static void answer(struct scene *scene, const char *type, const uint8_t *bytes, size_t length)
{
	struct fake_request *request = fake_link_find(&scene->link, type);

	if (request) {
		fake_link_answer(&scene->link, request->reply, bytes, length);
	}
}

/* A frame of the epoch that is served; the first byte says how far its tick is from now. */
static size_t aim(struct scene *scene, enum jc_frame_kind kind, const uint8_t *bytes, size_t length,
	uint8_t out_bytes[JC_FRAME_MESSAGE_HEAD + UINT16_MAX])
{
	const struct jc_relayed_space *relayed = scene->relayed;
	struct jc_frame_message frame = { .kind = kind,
		.space = relayed->origin_id,
		.tick = relayed->views.ticked + (length > 0 ? bytes[0] : 0u) % 32u - 8u,
		.revision = relayed->revision + (length > 1 ? bytes[1] >> 7 : 0u),
		.sent_us = 1000000 };

	jc_frame_message_write(&frame, out_bytes);
	if (length > 2) {
		memcpy(out_bytes + JC_FRAME_MESSAGE_HEAD, bytes + 2, length - 2);
	}
	return JC_FRAME_MESSAGE_HEAD + (length > 2 ? length - 2 : 0);
}

static void take(struct scene *scene, enum kind kind, const uint8_t *bytes, size_t length)
{
	static uint8_t frame[JC_FRAME_MESSAGE_HEAD + UINT16_MAX];

	switch (kind) {
	case CHANGE:
		fake_link_deliver(&scene->link, "jc.lobby.s", bytes, length, true);
		break;
	case STATE:
		answer(scene, "\"state\"", bytes, length);
		break;
	case FRAME:
	case REJOIN:
		length = aim(scene, kind == FRAME ? JC_FRAME_TICK : JC_FRAME_REJOIN, bytes, length,
			frame);
		for (size_t i = 0; i < FAKE_LINK_ENTRIES; i++) {
			if (scene->link.subscriptions[i].handler &&
				strstr(scene->link.subscriptions[i].subject, ".f.")) {
				fake_link_deliver(&scene->link,
					scene->link.subscriptions[i].subject, frame, length, false);
			}
		}
		jc_relayed_space_flush(scene->relayed, jc_clock_now_ns() + 10000000);
		break;
	case SKELETON:
		answer(scene, "\"skeleton\"", bytes, length);
		break;
	case PART:
		fake_link_deliver(&scene->link, "jc.lobby.s", bytes, length, false);
		break;
	case WATCH:
		watch(scene, length > 0 ? bytes[0] & 1 : 0);
		break;
	default:
		sweep(scene, length > 0 ? bytes[0] * INT64_C(50000000) : 0);
		break;
	}
}

static void open_scene(struct scene *scene)
{
	const struct jc_origin_claim claim = { .space = "lobby", .epoch = 0xab12, .revision = 1 };
	struct jc_diagnostic diagnostic;
	int status = jc_spaces_init(&scene->spaces, &diagnostic);

	assert(status == JC_OK);
	jc_log_init(&scene->log, -1, NULL);
	scene->context = (struct jc_relayed_context){ .link = &scene->link,
		.spaces = &scene->spaces,
		.sanctions = &scene->sanctions,
		.guests = &scene->guests,
		.log = &scene->log,
		.edge = "edge",
		.owner = scene,
		.on_waiting = ignore_waiting,
		.on_closed = ignore_closed,
		.on_removed = on_removed };
	status = jc_relayed_space_create(&scene->context, "lobby", &scene->relayed);
	assert(status == JC_OK);
	jc_relayed_space_claim(scene->relayed, &claim, INCARNATION, jc_clock_now_ns());
	sweep(scene, 0);
	sweep(scene, 0);
}

static void close_scene(struct scene *scene)
{
	for (size_t i = 0; i < 2; i++) {
		if (scene->watchers[i].view.fanout) {
			jc_view_leave(&scene->watchers[i].view);
		}
	}
	jc_relayed_space_destroy(scene->relayed);
	jc_spaces_finish(&scene->spaces);
	jc_sanctions_finish(&scene->sanctions);
	jc_guest_passes_finish(&scene->guests);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static struct scene scene;
	size_t at = 0;

	memset(&scene, 0, sizeof(scene));
	open_scene(&scene);
	for (int step = 0; step < STEPS && at + 3 <= length; step++) {
		size_t size = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
		enum kind kind = (enum kind)(bytes[at] % KINDS);

		at += 3;
		if (size > length - at) {
			size = length - at;
		}
		take(&scene, kind, bytes + at, size);
		at += size;
	}
	close_scene(&scene);
	return 0;
}
