/* Learns the cost of each body from its streams, and fits levels of detail into the budget. */
#include "space/view/view_budget.h"

#include <math.h>
#include <string.h>

/* Assumed bytes per second and tick rate of a body in full detail before it is measured. */
#define REFERENCE_BYTES 30.0f

/* Shares of the budget: for all streams, and the limit for raising a level. The difference
 * prevents oscillation. */
#define BUDGET_SHARE 0.95f
#define RAISE_SHARE  0.8f

/* Estimated cost of trying a body again. */
#define TRIAL_BYTES 500.0f

/* Least time in which the assumed cost of omitted bodies halves. */
#define HALVING_SECONDS 10.0f

/* Time constant of the mean of the overhead. */
#define OVERHEAD_SECONDS 2.0f

/* Reduces the assumed cost of omitted bodies, which may cost less now. The reduction is so slow
 * that trying all of them costs a tenth of the budget; the whole budget while no body is sent. */
static void discount(struct jc_private_view *private_view, float seconds)
{
	size_t count = 0, sent = 0;

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		count += private_view->view_bodies[slot].level == JC_LEVELS;
		sent += private_view->view_bodies[slot].body_stream != NULL;
	}
	float trials = (float)private_view->options.budget * (sent > 0 ? 0.1f : 1.0f);
	float halving = fmaxf(TRIAL_BYTES * (float)count / trials, HALVING_SECONDS);

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		if (private_view->view_bodies[slot].level == JC_LEVELS) {
			private_view->view_bodies[slot].reference *= exp2f(-seconds / halving);
		}
	}
}

/* The weight of a window follows from its length: a rejoin packet counts the same, no matter how
 * soon after it the budget is shared. */
static void count_overhead(struct jc_private_view *private_view, float seconds, float streams)
{
	float over = fmaxf((float)private_view->sent / seconds - streams, 0.0f);

	private_view->overhead +=
		(over - private_view->overhead) * seconds / (seconds + OVERHEAD_SECONDS);
}

/* Subtracts the cost of bundle heads and rejoin packets from the budget. Returns the bytes a
 * second left for streams. */
static float weigh(struct jc_private_view *private_view, uint32_t tick, uint32_t hz)
{
	float seconds = private_view->weighed > 0
				? (float)(tick - private_view->weighed) / (float)hz
				: 0.0f;
	float streams = 0.0f;

	for (size_t slot = 0; slot < JC_MAX_BODIES; slot++) {
		struct jc_view_body *view_body = &private_view->view_bodies[slot];

		if (view_body->body_stream && view_body->body_stream->measured > 0) {
			view_body->reference = view_body->body_stream->bytes_a_second /
					       jc_stream_spec_weight(&view_body->body_stream->spec);
			streams += view_body->body_stream->bytes_a_second;
		} else if (view_body->reference == 0.0f) {
			view_body->reference = REFERENCE_BYTES * (float)hz;
		}
	}
	discount(private_view, seconds);
	if (seconds > 0.0f) {
		count_overhead(private_view, seconds, streams);
	}
	private_view->weighed = tick;
	private_view->sent = 0;

	float budget = (float)private_view->options.budget;

	return fmaxf(budget * BUDGET_SHARE - private_view->overhead, budget / 2.0f);
}

/* Raises the most important bodies that fit again by one level, a few per call. */
static void raise_some(
	struct jc_view_body *const *view_bodies, const struct jc_ration *rations, size_t count)
{
	for (size_t left = 1 + count / 8; left > 0; left--) {
		size_t best = count;

		for (size_t i = 0; i < count; i++) {
			if (rations[i].level < view_bodies[i]->level &&
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
		view_bodies[best]->level--;
	}
}

void jc_view_budget_share(
	struct jc_private_view *private_view, const struct jc_space *space, uint32_t tick)
{
	struct jc_ration rations[JC_MAX_BODIES], fewer[JC_MAX_BODIES];
	struct jc_view_body *view_bodies[JC_MAX_BODIES];
	uint32_t hz = jc_space_options(space)->hz;
	size_t count = 0;
	float budget = weigh(private_view, tick, hz);

	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		const struct jc_body *body = jc_space_body(space, i);

		if (!jc_private_view_wants(private_view, body)) {
			continue;
		}
		struct jc_view_body *view_body = &private_view->view_bodies[body->slot];

		rations[count] = (struct jc_ration){ .level = view_body->detail.level,
			.priority = jc_private_view_priority(private_view, body),
			.importance = view_body->detail.importance };
		for (unsigned level = 0; level < JC_LEVELS; level++) {
			struct jc_stream_spec spec =
				jc_stream_spec_at(&private_view->options.spec, level);

			rations[count].costs[level] =
				view_body->reference * jc_stream_spec_weight(&spec);
		}
		view_bodies[count++] = view_body;
	}
	memcpy(fewer, rations, count * sizeof(rations[0]));
	jc_ration_fit(rations, count, budget);
	jc_ration_fit(fewer, count, budget * RAISE_SHARE);
	for (size_t i = 0; i < count; i++) {
		/* A first level applies at once. */
		if (rations[i].level > view_bodies[i]->level || !view_bodies[i]->is_rationed) {
			view_bodies[i]->level = rations[i].level;
			view_bodies[i]->is_rationed = true;
		}
	}
	raise_some(view_bodies, fewer, count);
}
