/* Streams begin where somebody needs them, so a body changes its level with a rejoin
 * packet of the other stream, in a tick in which that has packets. */
#include "space/personal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AIMLESS UINT8_MAX
#define UNTOLD  UINT32_MAX /* no outfit has that number */

/* Bytes a second and tick rate of a body in all detail, until it was measured. */
#define REFERENCE_BYTES 30.0f

/* Of the budget: what streams may cost together, and what they may once one more gets
 * better; so it does not waver. */
#define BUDGET_SHARE 0.95f
#define RAISE_SHARE  0.8f
#define WEIGH_HZ     4

/* What it costs to try a body again, and a second of it. */
#define TRIAL_BYTES 500.0f

bool jc_view_options_are_common(const struct jc_view_options *options)
{
	return !options->outfit && !options->is_some && options->ignored_count == 0 &&
	       options->favoured_count == 0 && options->budget == 0 &&
	       options->viewpoint_count == 0;
}

static void put_on(struct jc_personal *personal, const struct jc_view_options *options)
{
	personal->options = *options;
	if (options->outfit) {
		jc_outfit_wear(options->outfit);
	}
}

int jc_personal_create(
	const struct jc_view_options *options, unsigned phase, struct jc_personal **out_personal)
{
	struct jc_personal *personal = calloc(1, sizeof(*personal));

	if (!personal) {
		return JC_ERROR_MEMORY;
	}
	personal->phase = phase;
	put_on(personal, options);
	*out_personal = personal;
	return JC_OK;
}

void jc_personal_destroy(struct jc_personal *personal)
{
	if (!personal) {
		return;
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		jc_personal_leave(personal, slot);
	}
	if (personal->options.outfit) {
		jc_outfit_take_off(personal->options.outfit);
	}
	free(personal);
}

void jc_personal_change(struct jc_personal *personal, const struct jc_view_options *options)
{
	struct jc_outfit *before = personal->options.outfit;

	put_on(personal, options);
	if (before) {
		jc_outfit_take_off(before);
	}
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		personal->glimpses[slot].aimed = AIMLESS;
		personal->glimpses[slot].detail.is_met = false;
		personal->glimpses[slot].is_rationed = false;
	}
}

void jc_personal_enter(struct jc_personal *personal, const struct jc_body *body, bool is_ignored)
{
	const struct jc_outfit *wish = personal->options.outfit;

	/* Who asked for another skeleton was sent that alone. */
	personal->glimpses[body->slot] = (struct jc_glimpse){
		.told = wish && wish != body->outfit ? UNTOLD : body->outfit->number,
		.is_ignored = is_ignored,
		.missed_cut = true,
		.aimed = AIMLESS,
	};
}

void jc_personal_follow(struct jc_personal *personal, const struct jc_body *body,
	struct jc_feed *feed, bool missed_cut)
{
	struct jc_glimpse *glimpse = &personal->glimpses[body->slot];

	feed->users++;
	glimpse->feed = feed;
	glimpse->follows = true;
	glimpse->missed_cut = missed_cut;
}

void jc_personal_leave(struct jc_personal *personal, size_t slot)
{
	if (personal->glimpses[slot].feed) {
		jc_space_release(personal->glimpses[slot].feed);
	}
	personal->glimpses[slot] = (struct jc_glimpse){ .feed = NULL };
}

void jc_personal_lose(struct jc_personal *personal)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		personal->glimpses[slot].follows = false;
	}
}

static bool names(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++) {
		if (ids[i] == id) {
			return true;
		}
	}
	return false;
}

/* Beside what it is to everybody. */
static uint8_t priority_of(const struct jc_personal *personal, const struct jc_body *body)
{
	const struct jc_view_options *options = &personal->options;

	return (uint8_t)(body->priority +
			 names(options->favoured, options->favoured_count, body->id));
}

static bool is_wanted(const struct jc_personal *personal, const struct jc_body *body)
{
	const struct jc_view_options *options = &personal->options;

	return body->is_announced && !body->is_hidden &&
	       !personal->glimpses[body->slot].is_ignored &&
	       (!options->is_some || names(options->bodies, options->body_count, body->id)) &&
	       !names(options->ignored, options->ignored_count, body->id);
}

/* The stream itself; past the cap the same on `humanoid`, which others are likely to
 * want as well; and where there is too much of that, the one that there can always be. */
static struct jc_feed *find_feed(const struct jc_personal *personal, struct jc_space *space,
	const struct jc_body *body, unsigned level, bool *out_instead)
{
	const struct jc_view_options *options = &personal->options;
	struct jc_outfit *outfit = options->outfit ? options->outfit : body->outfit;
	struct jc_outfit *humanoid = outfit->wardrobe->humanoid;
	struct jc_wish wish = jc_wish_at(&options->wish, level);
	struct jc_feed *feed = jc_space_acquire(space, body, outfit, &wish, false);

	*out_instead = !feed;
	if (!feed) {
		feed = jc_space_acquire(space, body, humanoid, &wish, false);
	}
	if (!feed && wish.chains) {
		wish = (struct jc_wish){ .chains = true,
			.precision = JC_PRECISION_STANDARD,
			.rate = 1,
			.sections = JC_STREAM_ALL };
	}
	return feed ? feed : jc_space_acquire(space, body, humanoid, &wish, true);
}

static void drop(struct jc_glimpse *glimpse)
{
	if (glimpse->feed) {
		jc_space_release(glimpse->feed);
		glimpse->feed = NULL;
	}
	glimpse->aimed = AIMLESS;
	glimpse->follows = false;
	glimpse->missed_cut = true;
}

void jc_personal_aim(struct jc_personal *personal, struct jc_space *space,
	const struct jc_body *body, uint32_t tick)
{
	struct jc_glimpse *glimpse = &personal->glimpses[body->slot];
	uint32_t hz = jc_space_options(space)->hz;
	bool instead;

	if (!is_wanted(personal, body) || glimpse->level == JC_LEVELS) {
		drop(glimpse);
		return;
	}
	/* Now and then what there was no room for is tried again. */
	bool again = glimpse->is_instead && (tick + 4 * personal->phase) % (4 * hz) < 4;
	struct jc_wish wish = jc_wish_at(&personal->options.wish, glimpse->level);

	if ((glimpse->feed && glimpse->aimed == glimpse->level && !again) ||
		(glimpse->feed && tick % wish.rate != 0)) {
		return;
	}
	struct jc_feed *feed = find_feed(personal, space, body, glimpse->level, &instead);

	if (!feed) {
		drop(glimpse);
		return;
	}
	if (feed != glimpse->feed) {
		glimpse->follows = false;
		/* What the other stream had not said yet, and rotations of other bones. */
		glimpse->missed_cut |= !glimpse->feed || glimpse->feed->cut ||
				       glimpse->feed->outfit != feed->outfit;
	}
	if (glimpse->feed) {
		jc_space_release(glimpse->feed);
	}
	glimpse->feed = feed;
	glimpse->aimed = glimpse->level;
	glimpse->is_instead = instead;
}

/* Whoever is left out may cost less by now: what it is taken for shrinks, so slowly that
 * trying all of them costs a tenth of the budget. */
static void discount(struct jc_personal *personal)
{
	size_t count = 0;

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		count += personal->glimpses[slot].level == JC_LEVELS;
	}
	float seconds = TRIAL_BYTES * 10.0f * (float)count / (float)personal->options.budget;
	float share = 0.7f / (WEIGH_HZ * fmaxf(seconds, 10.0f)); /* half after so long */

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		if (personal->glimpses[slot].level == JC_LEVELS) {
			personal->glimpses[slot].reference *= 1.0f - share;
		}
	}
}

/* Bundles cost their heads too, and rejoin packets where streams change. Returns what
 * streams may cost. */
static float weigh(struct jc_personal *personal, uint32_t tick, uint32_t hz)
{
	float seconds = (float)(tick - personal->weighed) / (float)hz;
	float streams = 0.0f;

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_glimpse *glimpse = &personal->glimpses[slot];

		if (glimpse->feed && glimpse->feed->is_measured) {
			glimpse->reference = glimpse->feed->bytes_a_second /
					     jc_wish_weight(&glimpse->feed->wish);
			streams += glimpse->feed->bytes_a_second;
		} else if (glimpse->reference == 0.0f) {
			glimpse->reference = REFERENCE_BYTES * (float)hz;
		}
	}
	discount(personal);
	if (personal->weighed > 0 && seconds > 0.0f) {
		float over = fmaxf((float)personal->sent / seconds - streams, 0.0f);

		personal->overhead += (over - personal->overhead) / 8.0f;
	}
	personal->weighed = tick;
	personal->sent = 0;

	float budget = (float)personal->options.budget;

	return fmaxf(budget * BUDGET_SHARE - personal->overhead, budget / 2.0f);
}

/* The best of those that there is room for again, a few at a time and by one level. */
static void raise_some(
	struct jc_glimpse *const *glimpses, const struct jc_ration *rations, size_t count)
{
	for (size_t left = 1 + count / 8; left > 0; left--) {
		size_t best = count;

		for (size_t i = 0; i < count; i++) {
			if (rations[i].level < glimpses[i]->level &&
				(best == count || rations[i].priority > rations[best].priority ||
					(rations[i].priority == rations[best].priority &&
						rations[i].importance >
							rations[best].importance))) {
				best = i;
			}
		}
		if (best == count) {
			return;
		}
		glimpses[best]->level--;
	}
}

/* Shares the budget among the bodies that are wanted. */
static void share(struct jc_personal *personal, const struct jc_space *space, uint32_t tick)
{
	struct jc_ration rations[JC_MAX_BODIES], fewer[JC_MAX_BODIES];
	struct jc_glimpse *glimpses[JC_MAX_BODIES];
	uint32_t hz = jc_space_options(space)->hz;
	size_t count = 0;
	float budget = weigh(personal, tick, hz);

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (!is_wanted(personal, body)) {
			continue;
		}
		struct jc_glimpse *glimpse = &personal->glimpses[body->slot];

		rations[count] = (struct jc_ration){ .level = glimpse->detail.level,
			.priority = priority_of(personal, body),
			.importance = glimpse->detail.importance };
		for (unsigned level = 0; level < JC_LEVELS; level++) {
			struct jc_wish wish = jc_wish_at(&personal->options.wish, level);

			rations[count].costs[level] = glimpse->reference * jc_wish_weight(&wish);
		}
		glimpses[count++] = glimpse;
	}
	memcpy(fewer, rations, count * sizeof(rations[0]));
	jc_ration_fit(rations, count, budget);
	jc_ration_fit(fewer, count, budget * RAISE_SHARE);
	for (size_t i = 0; i < count; i++) {
		/* The first time all at once. */
		if (rations[i].level > glimpses[i]->level || !glimpses[i]->is_rationed) {
			glimpses[i]->level = rations[i].level;
			glimpses[i]->is_rationed = true;
		}
	}
	raise_some(glimpses, fewer, count);
}

/* Which level each body is to have. */
static void look(struct jc_personal *personal, const struct jc_space *space, uint32_t tick)
{
	const struct jc_view_options *options = &personal->options;
	uint32_t hz = jc_space_options(space)->hz;
	uint32_t every = hz > JC_DETAIL_HZ ? hz / JC_DETAIL_HZ : 1;
	uint32_t weighing = every * (JC_DETAIL_HZ / WEIGH_HZ);
	bool fresh = false;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_glimpse *glimpse = &personal->glimpses[body->slot];

		if (!glimpse->detail.is_met || (tick + personal->phase) % every == 0) {
			fresh |= !glimpse->detail.is_met;
			jc_detail_look(&glimpse->detail, options->viewpoints,
				options->viewpoint_count, body->position,
				priority_of(personal, body), tick, hz);
		}
		if (options->budget == 0) {
			glimpse->level = glimpse->detail.level;
		}
	}
	if (options->budget > 0 && (fresh || (tick + personal->phase) % weighing == 0)) {
		share(personal, space, tick);
	}
}

void jc_personal_plan(struct jc_personal *personal, struct jc_space *space, uint32_t tick)
{
	if (personal->options.wish.chains) {
		look(personal, space, tick);
	}
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_glimpse *glimpse = &personal->glimpses[body->slot];

		jc_personal_aim(personal, space, body, tick);
		glimpse->is_taken = false;
		if (glimpse->feed && jc_feed_is_due(glimpse->feed, tick)) {
			jc_feed_want(
				glimpse->feed, !glimpse->follows && personal->options.wish.chains);
		}
	}
}

size_t jc_personal_show(struct jc_personal *personal, const struct jc_space *space,
	struct jc_shown out_shown[JC_MAX_BODIES])
{
	size_t count = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);
		struct jc_glimpse *glimpse = &personal->glimpses[body->slot];

		if (!body->is_announced) {
			continue;
		}
		struct jc_outfit *outfit = glimpse->feed ? glimpse->feed->outfit : NULL;
		uint32_t number = outfit ? outfit->number : 0;

		if (number != glimpse->told) {
			glimpse->told = number;
			out_shown[count++] =
				(struct jc_shown){ .body = body->id, .outfit = outfit };
		}
	}
	return count;
}

size_t jc_personal_unshow(const struct jc_personal *personal, const struct jc_space *space,
	struct jc_shown out_shown[JC_MAX_BODIES])
{
	size_t count = 0;

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (body->is_announced &&
			personal->glimpses[body->slot].told != body->outfit->number) {
			out_shown[count++] =
				(struct jc_shown){ .body = body->id, .outfit = body->outfit };
		}
	}
	return count;
}

bool jc_personal_compose(struct jc_personal *personal, const struct jc_space *space,
	const struct jc_bundle_head *head, uint8_t *buffer, struct jc_bundle *out_bundle)
{
	bool chains = personal->options.wish.chains;
	size_t due = 0;

	jc_bundle_open(out_bundle, buffer, head);
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		struct jc_glimpse *glimpse = &personal->glimpses[jc_space_body(space, i)->slot];
		const struct jc_feed *feed = glimpse->feed;

		if (!feed || !feed->is_fresh) {
			continue;
		}
		const struct jc_feed_packet *packet =
			glimpse->follows || !chains ? &feed->common : &feed->rejoin;

		due++;
		glimpse->is_taken = packet->length > 0;
		if (glimpse->is_taken) {
			jc_bundle_put(out_bundle, packet, glimpse->missed_cut);
		}
	}
	jc_bundle_close(out_bundle);
	return out_bundle->packet_count > 0 || (due > 0 && !personal->quiet);
}

void jc_personal_delivered(struct jc_personal *personal, size_t length)
{
	personal->quiet = true;
	personal->sent += length;
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_glimpse *glimpse = &personal->glimpses[slot];

		if (glimpse->is_taken) {
			glimpse->is_taken = false;
			glimpse->follows = true;
			glimpse->missed_cut = false;
			personal->quiet = false;
		}
	}
}

void jc_personal_missed(struct jc_personal *personal)
{
	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_glimpse *glimpse = &personal->glimpses[slot];
		const struct jc_feed *feed = glimpse->feed;

		glimpse->is_taken = false;
		if (feed && feed->is_fresh && feed->common.length > 0) {
			glimpse->follows = false;
			glimpse->missed_cut |= feed->common.cut;
		}
	}
}
