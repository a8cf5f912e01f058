/* Each space is a pair: the origin half and the distribution half. */
#include "space/spaces.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticker.h"
#include "space/people/people.h"
#include "space/relay/space_relay.h"

#define REWIND_AWAITS_NS INT64_C(60000000000) /* wait for the first subscriber */
#define IDLE_NS          INT64_C(50000000)    /* between two sweeps if no space ticks */
#define REWIND_LINGER_NS INT64_C(10000000000) /* wait after the last one */

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic)
{
	memset(spaces, 0, sizeof(*spaces));
	jc_spaces_policy_init(&spaces->policy);
	jc_clock_init(&spaces->clock);
	if (jc_siphash_key_init(&spaces->people) != JC_OK) {
		return jc_diagnose(
			diagnostic, JC_ERROR_UNSUPPORTED, NULL, "the system has no random bytes");
	}
	spaces->start_ns = spaces->clock.epoch_ns;
	return jc_skeleton_table_init(&spaces->skeleton_table, diagnostic);
}

/* The fanout leaves the list first: what ends with its space, replays for example, looks for
 * spaces. */
static void end(struct jc_spaces *spaces, size_t i)
{
	struct jc_fanout *fanout = spaces->fanouts[i];

	spaces->count--;
	memmove(&spaces->fanouts[i], &spaces->fanouts[i + 1],
		(spaces->count - i) * sizeof(spaces->fanouts[0]));
	jc_fanout_finish(fanout);
	free(fanout);
}

void jc_spaces_finish(struct jc_spaces *spaces)
{
	while (spaces->count > 0) {
		end(spaces, spaces->count - 1);
	}
	jc_skeleton_table_finish(&spaces->skeleton_table);
}

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name)
{
	for (size_t i = 0; i < spaces->count; i++) {
		if (strcmp(jc_space_options(spaces->fanouts[i]->space)->name, name) == 0) {
			return spaces->fanouts[i];
		}
	}
	return NULL;
}

struct jc_fanout *jc_spaces_with_id(struct jc_spaces *spaces, uint32_t id)
{
	for (size_t i = 0; i < spaces->count; i++) {
		if (jc_space_options(spaces->fanouts[i]->space)->id == id) {
			return spaces->fanouts[i];
		}
	}
	return NULL;
}

static int64_t leave_after_ns(const struct jc_space_policy *policy)
{
	return (int64_t)policy->leave_after_s * 1000000000;
}

static int make(struct jc_spaces *spaces, const char *name, const struct jc_space_policy *policy,
	struct jc_fanout **out_fanout)
{
	struct jc_fanout *fanout = spaces->count < JC_MAX_SPACES ? malloc(sizeof(*fanout)) : NULL;
	int64_t now_ns = jc_clock_now_ns();

	if (!fanout) {
		return spaces->count < JC_MAX_SPACES ? JC_ERROR_MEMORY : JC_ERROR_LIMIT;
	}
	jc_fanout_init(fanout);
	fanout->people_key = jc_people_key(&spaces->people, name);
	/* Wall-clock microseconds make the epoch unique. */
	struct jc_space_options options = { .name = name,
		.id = spaces->last_id + 1,
		.epoch = (uint64_t)(spaces->clock.wall_us +
				    (now_ns - spaces->clock.epoch_ns) / 1000),
		.hz = policy->hz,
		.bodies = policy->bodies,
		.stream_cap = policy->streams,
		.leave_after_ns = leave_after_ns(policy),
		.contacts = policy->contacts,
		.start_ns = spaces->start_ns,
		.start_us = jc_clock_server_us(&spaces->clock, spaces->start_ns),
		.distribution = &fanout->distribution };
	int status = jc_space_create(&options, &fanout->space);

	if (status != JC_OK) {
		free(fanout);
		return status;
	}
	fanout->policy = *policy;
	fanout->due_ns = &spaces->due_ns;
	fanout->texts = &spaces->texts;
	fanout->next_tick = jc_tick_at(spaces->start_ns, policy->hz, now_ns) + 1;
	spaces->last_id++;
	spaces->fanouts[spaces->count++] = fanout;
	*out_fanout = fanout;
	return JC_OK;
}

int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout)
{
	struct jc_fanout *fanout = jc_spaces_find(spaces, name);
	int status = fanout ? JC_OK : make(spaces, name, &spaces->policy.space, &fanout);

	if (status == JC_OK) {
		fanout->stays_open = true;
		fanout->is_default = false;
		*out_fanout = fanout;
	}
	return status;
}

static void apply(struct jc_fanout *fanout, const struct jc_space_policy *policy)
{
	if (jc_space_is_relayed(fanout->space)) {
		return; /* its origin decides */
	}
	fanout->policy = *policy;
	fanout->policy.hz = jc_space_options(fanout->space)->hz;
	fanout->policy.contacts = jc_space_options(fanout->space)->contacts;
	jc_space_limit(fanout->space, policy->bodies, policy->streams);
	jc_space_set_leave_after(fanout->space, leave_after_ns(policy));
}

int jc_spaces_configure(struct jc_spaces *spaces, const char *name,
	const struct jc_space_policy *policy, struct jc_fanout **out_fanout)
{
	struct jc_fanout *fanout = jc_spaces_find(spaces, name);
	int status = fanout ? JC_OK : make(spaces, name, policy, &fanout);

	if (status == JC_OK) {
		apply(fanout, policy);
		fanout->stays_open = true;
		*out_fanout = fanout;
	}
	return status;
}

int jc_spaces_open_for(struct jc_spaces *spaces, const char *name, const char *opener,
	struct jc_fanout **out_fanout)
{
	unsigned opened = 0;
	unsigned by_this_one = 0;

	for (size_t i = 0; i < spaces->count; i++) {
		opened += !spaces->fanouts[i]->stays_open;
		by_this_one += !spaces->fanouts[i]->stays_open &&
			       strcmp(spaces->fanouts[i]->opener, opener) == 0;
	}
	if (opened >= spaces->policy.most || by_this_one >= spaces->policy.most_of_one) {
		return JC_ERROR_LIMIT;
	}
	int status = make(spaces, name, &spaces->policy.space, out_fanout);

	if (status == JC_OK) {
		strncpy((*out_fanout)->opener, opener, JC_MAX_WHO - 1);
	}
	return status;
}

bool jc_spaces_has_room_for_rewind(const struct jc_spaces *spaces, const char *opener)
{
	unsigned count = 0;
	unsigned by_this_one = 0;

	for (size_t i = 0; i < spaces->count; i++) {
		bool is_rewind = spaces->fanouts[i]->rewind_of[0];

		count += is_rewind;
		by_this_one += is_rewind && strcmp(spaces->fanouts[i]->opener, opener) == 0;
	}
	return count < JC_MAX_REWIND_SPACES && by_this_one < JC_MAX_REWIND_SPACES_OF_ONE;
}

int jc_spaces_open_rewind(struct jc_spaces *spaces, const struct jc_fanout *of, const char *opener,
	struct jc_fanout **out_fanout)
{
	const char *of_name = jc_space_options(of->space)->name;
	char name[JC_MAX_SPACE_NAME];

	if (!jc_spaces_has_room_for_rewind(spaces, opener)) {
		return JC_ERROR_LIMIT;
	}
	snprintf(name, sizeof(name), "%.48s~%u", of_name, spaces->last_id + 1);
	int status = make(spaces, name, &of->policy, out_fanout);

	if (status == JC_OK) {
		strncpy((*out_fanout)->opener, opener, JC_MAX_WHO - 1);
		strcpy((*out_fanout)->rewind_of, of_name);
	}
	return status;
}

const char *jc_spaces_rewind_of(struct jc_spaces *spaces, const char *name)
{
	const struct jc_fanout *fanout = jc_spaces_find(spaces, name);

	return fanout && fanout->rewind_of[0] ? fanout->rewind_of : NULL;
}

void jc_spaces_reset(struct jc_spaces *spaces, const struct jc_spaces_policy *policy)
{
	spaces->policy = *policy;
	for (size_t i = 0; i < spaces->count; i++) {
		struct jc_fanout *fanout = spaces->fanouts[i];

		apply(fanout, &policy->space);
		fanout->stays_open = strcmp(jc_space_options(fanout->space)->name, "lobby") == 0 ||
				     jc_space_is_relayed(fanout->space);
	}
}

static bool is_over(struct jc_fanout *fanout, int64_t linger_ns, int64_t now_ns)
{
	bool is_rewind = fanout->rewind_of[0];
	bool empty = !fanout->stays_open && fanout->view_count == 0 && fanout->remote_count == 0 &&
		     (is_rewind || jc_space_is_idle(fanout->space));

	if (empty && fanout->is_closed) {
		return true;
	}
	if (!empty || fanout->empty_ns == 0) {
		fanout->empty_ns = empty ? now_ns : 0;
		return false;
	}
	if (is_rewind) {
		linger_ns = fanout->is_looked_at ? REWIND_LINGER_NS : REWIND_AWAITS_NS;
	}
	return now_ns - fanout->empty_ns >= linger_ns;
}

void jc_spaces_sweep(struct jc_spaces *spaces, int64_t now_ns)
{
	int64_t linger_ns = (int64_t)spaces->policy.linger_s * 1000000000;

	for (size_t i = 0; i < spaces->count;) {
		if (is_over(spaces->fanouts[i], linger_ns, now_ns)) {
			end(spaces, i);
		} else {
			i++;
		}
	}
}

static int64_t due_ns(const struct jc_fanout *fanout)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);

	return jc_tick_time_ns(options->start_ns, options->hz, fanout->next_tick);
}

int64_t jc_spaces_due_ns(const struct jc_spaces *spaces)
{
	int64_t first_ns = INT64_MAX;

	for (size_t i = 0; i < spaces->count; i++) {
		if (!jc_space_is_relayed(spaces->fanouts[i]->space)) {
			int64_t next_ns = due_ns(spaces->fanouts[i]);

			first_ns = next_ns < first_ns ? next_ns : first_ns;
		}
	}
	return first_ns < INT64_MAX ? first_ns : jc_clock_now_ns() + IDLE_NS;
}

static void note_written(struct jc_fanout *fanout, uint64_t delivered, int64_t begun_ns)
{
	if (fanout->delivered > delivered) {
		int64_t written_ns = jc_clock_now_ns();

		jc_space_written(fanout->space, written_ns);
		jc_histogram_add(&fanout->spent, written_ns - begun_ns);
	}
}

static void tick_space(struct jc_spaces *spaces, struct jc_fanout *fanout, uint32_t tick)
{
	const struct jc_space_options *options = jc_space_options(fanout->space);
	uint64_t delivered = fanout->delivered;
	int64_t begun_ns = jc_clock_now_ns();

	jc_histogram_add(&spaces->lateness,
		begun_ns - jc_tick_time_ns(options->start_ns, options->hz, tick));
	jc_space_tick(fanout->space, tick);
	note_written(fanout, delivered, begun_ns);
}

void jc_spaces_tick_relayed(struct jc_fanout *fanout, uint32_t tick)
{
	uint64_t delivered = fanout->delivered;
	int64_t begun_ns = jc_clock_now_ns();

	jc_space_relay_tick(fanout->space, tick);
	note_written(fanout, delivered, begun_ns);
}

int jc_spaces_relay(struct jc_spaces *spaces, const char *name, struct jc_relay *relay,
	const struct jc_relay_epoch *epoch, struct jc_fanout **out_fanout)
{
	struct jc_fanout *fanout = jc_spaces_find(spaces, name);
	struct jc_relay_epoch own = *epoch;
	int status = JC_OK;

	if (fanout && !jc_space_is_relayed(fanout->space) && !jc_space_is_idle(fanout->space)) {
		return JC_ERROR_INVALID;
	}
	if (!fanout) {
		status = make(spaces, name, &spaces->policy.space, &fanout);
	}
	if (status != JC_OK) {
		return status;
	}
	fanout->stays_open = true;
	fanout->is_closed = false;
	own.id = ++spaces->last_id;
	jc_space_relay_begin(fanout->space, relay, &own);
	jc_fanout_restart(fanout);
	*out_fanout = fanout;
	return JC_OK;
}

void jc_spaces_end_relay(struct jc_fanout *fanout)
{
	fanout->stays_open = false;
	fanout->is_closed = true;
}

void jc_spaces_tick(struct jc_spaces *spaces, int64_t now_ns)
{
	for (size_t i = 0; i < spaces->count; i++) {
		struct jc_fanout *fanout = spaces->fanouts[i];
		const struct jc_space_options *options = jc_space_options(fanout->space);

		if (jc_space_is_relayed(fanout->space) || due_ns(fanout) > now_ns) {
			continue;
		}
		uint32_t tick = jc_tick_at(options->start_ns, options->hz, now_ns);

		/* A space that was just opened may have waited for the tick of another. */
		if (fanout->has_ticked) {
			fanout->missed += tick - fanout->next_tick;
			spaces->missed += tick - fanout->next_tick;
		}
		fanout->has_ticked = true;
		fanout->next_tick = tick + 1;
		tick_space(spaces, fanout, tick);
	}
}
