/* Which of several origins serves a space, and what they exchange: a daemon among origins that the
 * input plays. The first byte chooses the daemon: S a standby, O an origin, D one with a default
 * lobby. Each line of the rest is one of:
 *
 *   a h i e s   host h ('a' to 'z') as process i announces with an epoch e ('<', '=', '>': beside
 *               that of the daemon; else its byte) the spaces s: 'l' lobby, 'h' hall, 'b' both
 *   l h i       process i of host h leaves
 *   r text      an announcement as it is
 *   . d         d tenths of a second pass; the daemon hears its own announcements
 *   , d         the same without hearing them
 *   x, c        NATS is lost; is connected again
 *   q text      the answer to the open request 'succession'; without text it times out
 *   s text      a message on jc.succession
 *   m d w       a moderator of the daemon bans the person w in the lobby for d seconds (0: ever)
 *   u w         and lifts the ban
 *
 * A model of the claims tells which spaces have to be served: never one to which another origin has
 * the better claim, by a standby none that another origin claims, and each one that is left. */
#include "../target.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cluster/cluster.h"
#include "cluster/origin/origin.h"
#include "cluster/origin/origin_private.h"
#include "cluster/report/peers.h"
#include "crowd.h"
#include "fake_nats.h"
#include "moderation/moderation.h"

#define LINES   64
#define OWN     "m" /* between the names of the others */
#define PROCESS "0f"
#define TENTH   INT64_C(100000000)
#define SPACES  2
#define CLAIMS  256

static const char *const names[SPACES] = { "lobby", "hall" };

/* A claim as the documents have it: it holds for 1.5 s after the newest announcement with it, and
 * longer where the daemon cannot take silence for an end. */
struct claim {
	char host[JC_MAX_HOST_ID], process[JC_MAX_INCARNATION];
	size_t space;
	uint64_t epoch;
	int64_t heard_ns;
};

static struct crowd crowd;
static struct fake_nats nats;
static struct jc_peers peers;
static struct jc_cluster_context context;
static struct jc_origin *origin;
static bool is_standby;
static struct {
	size_t count, all; /* kept; and of the input, also for other spaces */
	struct claim claims[CLAIMS];
	int64_t heard_ns, hears_ns; /* own announcements: the last, and the first without a gap */
	bool served[SPACES];
	uint64_t epochs[SPACES]; /* of the newest export */
} model;

static void hear(struct crowd_guest *guest, const uint8_t *bytes, size_t length)
{
	(void)guest;
	(void)bytes;
	(void)length;
}

/* Its loop has another clock. */
static void hold_timer(void)
{
	uv_timer_stop(&origin->timer);
}

static struct jc_fanout *fanout_of(size_t space)
{
	return jc_spaces_find(&crowd.spaces, names[space]);
}

static const struct jc_exported_space *exported_of(size_t space)
{
	uint32_t id = jc_space_options(fanout_of(space)->space)->id;

	for (size_t i = 0; i < origin->count; i++) {
		if (origin->served[i].id == id) {
			return origin->served[i].exported;
		}
	}
	return NULL;
}

static uint64_t own_epoch(size_t space)
{
	const struct jc_exported_space *exported = exported_of(space);

	return exported ? exported->epoch : jc_space_options(fanout_of(space)->space)->epoch;
}

static bool is_of_process(const struct claim *claim, const char *process)
{
	return strcmp(claim->process, process) == 0;
}

static void note_claim(const struct jc_origin_message *message, size_t i)
{
	struct claim *claim = NULL;
	size_t space = 0;

	while (space < SPACES && strcmp(message->claims[i].space, names[space]) != 0) {
		space++;
	}
	for (size_t k = 0; k < model.count; k++) {
		if (model.claims[k].space == space &&
			is_of_process(&model.claims[k], message->incarnation)) {
			claim = &model.claims[k];
		}
	}
	if (space == SPACES) {
		return;
	}
	if (!claim) {
		assert(model.count < CLAIMS);
		claim = &model.claims[model.count++];
	}
	*claim = (struct claim){
		.space = space, .epoch = message->claims[i].epoch, .heard_ns = jc_clock_now_ns()
	};
	strcpy(claim->host, message->origin);
	strcpy(claim->process, message->incarnation);
}

static void note(const char *text, size_t length)
{
	static struct jc_origin_message message;
	size_t kept = 0;

	if (jc_origin_message_read(text, length, &message)) {
		return;
	}
	if (strcmp(message.incarnation, PROCESS) == 0) {
		int64_t now_ns = jc_clock_now_ns();

		model.hears_ns = now_ns - model.heard_ns < 8 * TENTH ? model.hears_ns : now_ns;
		model.heard_ns = now_ns;
		return;
	}
	model.all += message.count;
	for (size_t i = 0; i < model.count; i++) {
		if (!message.is_leaving || !is_of_process(&model.claims[i], message.incarnation)) {
			model.claims[kept++] = model.claims[i];
		}
	}
	model.count = kept;
	for (size_t i = 0; i < message.count; i++) {
		note_claim(&message, i);
	}
}

/* Whether another origin has the better claim to a space; of equal epochs the first name. */
static bool is_beaten(size_t space, uint64_t epoch)
{
	for (size_t i = 0; i < model.count; i++) {
		const struct claim *claim = &model.claims[i];

		if (claim->space == space &&
			(claim->epoch > epoch ||
				(claim->epoch == epoch && strcmp(claim->host, OWN) < 0))) {
			return true;
		}
	}
	return false;
}

static bool is_claimed(size_t space)
{
	for (size_t i = 0; i < model.count; i++) {
		if (model.claims[i].space == space) {
			return true;
		}
	}
	return false;
}

/* Whether it may take the silence of others for their end: it has heard itself for 4 seconds. */
static bool hears(void)
{
	int64_t now_ns = jc_clock_now_ns();

	return !nats.is_lost && now_ns - model.heard_ns < 8 * TENTH &&
	       now_ns - model.hears_ns >= 40 * TENTH;
}

static void expire_claims(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < model.count && hears(); i++) {
		if (jc_clock_now_ns() - model.claims[i].heard_ns < 15 * TENTH) {
			model.claims[kept++] = model.claims[i];
		}
	}
	model.count = hears() ? kept : model.count;
}

static void check_space(size_t space)
{
	const struct jc_exported_space *exported = exported_of(space);
	bool has_begun =
		exported && (!model.served[space] || exported->epoch != model.epochs[space]);

	model.served[space] = exported != NULL;
	if (exported) {
		assert(!is_beaten(space, exported->epoch));
		assert(exported->epoch >= model.epochs[space] || !has_begun);
		model.epochs[space] = exported->epoch;
	}
	if (has_begun && is_standby) {
		assert(hears());
		assert(!is_claimed(space));
	}
}

static void check_spaces(void)
{
	expire_claims();
	for (size_t space = 0; space < SPACES && model.all < JC_MAX_RIVALS; space++) {
		check_space(space);
	}
}

/* After a sweep: a space that no other origin claims is served. */
static void check_left(void)
{
	for (size_t space = 0; space < SPACES && model.all < JC_MAX_RIVALS; space++) {
		assert(!hears() || is_claimed(space) || exported_of(space));
	}
}

static void check_sanctions(void)
{
	const struct jc_sanction_history *history =
		jc_moderation_history(crowd.services.moderation);
	const struct jc_sanction *first;

	for (size_t i = 0; i < history->ended.count; i++) {
		const struct jc_sanction *at = &history->ended.list[i];

		assert(!jc_sanctions_find(&history->in_force, at->space, at->kind, at->who));
		assert(!at->by[0] && !at->reason[0]);
	}
	assert(jc_sanctions_of(&history->in_force, "lobby", &first) +
			jc_sanctions_of(&history->ended, "lobby", &first) <=
		JC_MAX_SANCTIONS_OF_SPACE);
}

/* Hears itself where is_heard. What it returns to an origin, it has itself: hearing that changes
 * nothing. */
static void hear_own(bool is_heard)
{
	for (size_t i = 0; i < nats.count; i++) {
		const struct fake_message *message = &nats.messages[i];
		const char *text = (const char *)message->bytes;

		if (strcmp(message->subject, JC_SUBJECT_ANNOUNCE) == 0 && is_heard) {
			note(text, message->length);
			fake_nats_deliver_parts(message->subject, text, message->length);
		} else if (strcmp(message->subject, JC_SUBJECT_SUCCESSION) == 0) {
			struct jc_sanctions *sanctions =
				jc_moderation_sanctions(crowd.services.moderation);
			uint64_t revision = sanctions->revision;

			assert(is_standby);
			fake_nats_deliver_parts(message->subject, text, message->length);
			assert(sanctions->revision == revision);
		}
		hold_timer();
	}
	fake_nats_clear(&nats);
}

static void sweep(void)
{
	origin->timer.timer_cb(&origin->timer);
	hold_timer();
}

static void wait_tenths(int count, bool is_heard)
{
	for (int i = 0; i < count; i++) {
		crowd_wait(&crowd, TENTH);
		sweep();
		check_spaces();
		hear_own(is_heard);
		sweep();
		check_spaces();
		check_left();
	}
}

static void announce(const char *line, bool is_leaving)
{
	char text[512], spaces[256] = "";
	int length = 0;

	for (size_t space = 0; space < SPACES && !is_leaving; space++) {
		uint64_t epoch = own_epoch(space);

		epoch = line[3] == '<'   ? epoch - 1
			: line[3] == '=' ? epoch
			: line[3] == '>' ? epoch + 1000000
					 : (uint64_t)(unsigned char)line[3];
		if (line[4] == 'b' || line[4] == names[space][0]) {
			length += snprintf(spaces + length, sizeof(spaces) - (size_t)length,
				"%s{\"space\":\"%s\",\"epoch\":\"%llx\",\"revision\":1}",
				length ? "," : "", names[space], (unsigned long long)epoch);
		}
	}
	length = snprintf(text, sizeof(text),
		"{\"origin\":\"%c\",\"incarnation\":\"%x\",\"spaces\":[%s]%s}",
		'a' + (unsigned char)line[1] % 26, (unsigned char)line[2] % 16u, spaces,
		is_leaving ? ",\"leaving\":true" : "");
	note(text, (size_t)length);
	fake_nats_deliver_parts(JC_SUBJECT_ANNOUNCE, text, (size_t)length);
}

static void moderate(const char *line, bool lifts)
{
	struct jc_sanction_history *history = jc_moderation_history(crowd.services.moderation);
	struct jc_sanction ban = { .kind = JC_SANCTION_BAN,
		.space = "lobby",
		.by = "subject mia",
		.since_s = time(NULL),
		.until_s = line[1] == '0' ? INT64_MAX : time(NULL) + (unsigned char)line[1] % 64 };

	snprintf(ban.who, sizeof(ban.who), "subject %c",
		'a' + (unsigned char)line[lifts ? 1 : 2] % 26);
	if (lifts) {
		jc_sanction_history_lift(history, ban.space, ban.kind, ban.who, ban.since_s);
		assert(!jc_sanctions_find(&history->in_force, ban.space, ban.kind, ban.who));
	} else {
		int status = jc_sanction_history_put(history, &ban);
		const struct jc_sanction *found =
			jc_sanctions_find(&history->in_force, ban.space, ban.kind, ban.who);

		assert(status == JC_ERROR_LIMIT || (found && found->until_s == ban.until_s));
	}
}

static void act(const char *line, size_t length)
{
	switch (line[0]) {
	case 'a':
	case 'l':
		if (length >= (line[0] == 'a' ? 5 : 3)) {
			announce(line, line[0] == 'l');
		}
		break;
	case 'r':
		note(line + 1, length - 1);
		fake_nats_deliver_parts(JC_SUBJECT_ANNOUNCE, line + 1, length - 1);
		break;
	case '.':
	case ',':
		wait_tenths(length > 1 ? (unsigned char)line[1] % 64 : 1, line[0] == '.');
		break;
	case 'x':
		nats.is_lost = true;
		break;
	case 'c':
		nats.is_lost = false;
		model.heard_ns = 0;
		jc_origin_connected(origin);
		break;
	case 'q':
		fake_nats_answer(length > 1 ? line + 1 : NULL, length - 1);
		break;
	case 's':
		fake_nats_deliver_parts(JC_SUBJECT_SUCCESSION, line + 1, length - 1);
		break;
	case 'm':
	case 'u':
		if (length >= (line[0] == 'm' ? 3 : 2)) {
			moderate(line, line[0] == 'u');
		}
		break;
	default:
		break;
	}
}

static void run(const char *text, size_t length)
{
	for (int i = 0; i < LINES && length > 0; i++) {
		const char *end = memchr(text, '\n', length);
		size_t line = end ? (size_t)(end - text) : length;

		if (line > 0) {
			act(text, line);
		}
		hold_timer();
		check_sanctions();
		check_spaces();
		text += end ? line + 1 : line;
		length -= end ? line + 1 : line;
	}
}

static void open_daemon(char kind)
{
	is_standby = kind == 'S';
	jc_moderation_history(crowd.services.moderation)->keeps_ended = true;
	fanout_of(0)->is_default = kind == 'D';
	peers = (struct jc_peers){ 0 };
	context = (struct jc_cluster_context){ .services = &crowd.services,
		.control = &crowd.control,
		.peers = &peers,
		.name = OWN,
		.incarnation = PROCESS };
	int status = jc_origin_create(&context, is_standby, &origin);

	assert(status == JC_OK);
	hold_timer();
	sweep();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (length < 2) {
		return 0;
	}
	memset(&model, 0, sizeof(model));
	crowd = (struct crowd){ .hear = hear };
	nats = (struct fake_nats){ .count = 0 };
	crowd_open(&crowd);
	fake_nats_open(&nats);
	open_daemon((char)bytes[0]);
	run((const char *)bytes + 1, length - 1);
	jc_origin_destroy(origin);
	crowd_wait_for_tick(&crowd);
	fake_nats_close(&nats);
	crowd_close(&crowd);
	return 0;
}
