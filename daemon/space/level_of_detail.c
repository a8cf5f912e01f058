/* Distances follow from the errors of the levels (stream_spec.c): below them the difference
 * is not visible. */
#include "space/level_of_detail.h"

#include <math.h>

#include "jointcast/transform.h"
#include "maxima.h"

#define LOOSE         1.1f  /* hysteresis: distances for a coarser level are this much larger */
#define SLACK         0.17f /* radians outside the view until a visible body counts as unseen */
#define BODY_RADIUS   1.0f  /* metres about the hips */
#define UNSEEN        0.25f /* relative to the importance of a visible body */
#define PRIORITY_MOST 3u
#define HALF_TURN     3.14159265f
#define UNSEEN_NEAR   2 /* heads turn quickly */
#define UNSEEN_FAR    (JC_LEVELS - 1)

/* Distances in metres at which the next level suffices. */
static const float borders[JC_LEVELS - 1] = { 3.0f, 6.0f, 12.0f, 24.0f };

static unsigned level_at(float distance, unsigned before, bool has_level)
{
	unsigned level = 0;

	for (unsigned i = 0; i < JC_LEVELS - 1; i++) {
		float loose = !has_level ? 1.0f : before <= i ? LOOSE : 1.0f / LOOSE;

		level += distance >= borders[i] * loose;
	}
	return level;
}

static bool is_seen(
	const struct jc_viewpoint *viewpoint, struct jc_vec3 way, float distance, float slack)
{
	struct jc_vec3 direction = viewpoint->direction;
	float angle = viewpoint->half_angle + slack +
		      (distance > BODY_RADIUS ? asinf(BODY_RADIUS / distance) : HALF_TURN);

	return jc_vec3_dot(direction, direction) == 0.0f || angle >= HALF_TURN ||
	       jc_vec3_dot(direction, way) >= distance * cosf(angle);
}

static void change(struct jc_level_of_detail *detail, unsigned level, uint32_t tick)
{
	detail->level = (uint8_t)level;
	detail->changed = detail->enough = tick;
	detail->has_level = true;
}

void jc_level_of_detail_update(struct jc_level_of_detail *detail,
	const struct jc_viewpoint *viewpoints, size_t count, struct jc_vec3 body, unsigned priority,
	uint32_t tick, uint32_t hz)
{
	unsigned level = count == 0 ? 0 : JC_LEVELS - 1;
	float importance = count == 0 ? 1.0f : 0.0f;
	bool seen = count == 0;
	float nearer = (float)(1u << 2 * (priority < PRIORITY_MOST ? priority : PRIORITY_MOST));

	for (size_t i = 0; i < count; i++) {
		struct jc_vec3 way = jc_vec3_subtract(body, viewpoints[i].position);
		float distance = jc_vec3_length(way);
		bool sees = is_seen(&viewpoints[i], way, distance, detail->is_seen ? SLACK : 0.0f);
		unsigned at = level_at(distance / nearer, detail->level, detail->has_level);
		float matters = (sees ? 1.0f : UNSEEN) / (1.0f + distance / nearer);

		if (!sees) {
			at = at == 0 ? UNSEEN_NEAR : UNSEEN_FAR;
		}
		level = at < level ? at : level;
		importance = matters > importance ? matters : importance;
		seen |= sees;
	}
	detail->importance = importance;
	detail->is_seen = seen;
	if (!detail->has_level) {
		change(detail, level, tick);
	} else if (level < detail->level) {
		detail->enough = tick;
		if (tick - detail->changed >= hz / 4) {
			change(detail, level, tick);
		}
	} else if (level == detail->level) {
		detail->enough = tick;
	} else if (tick - detail->enough >= hz) {
		change(detail, level, tick);
	}
}

/* Importance that remains after each step down. */
static float score(const struct jc_ration *ration, unsigned best)
{
	return ration->importance * (float)(1u << (ration->level - best));
}

/* The entry to coarsen next: of this priority and above this level. */
static struct jc_ration *find_least(struct jc_ration *rations, const uint8_t *bests, size_t count,
	unsigned priority, unsigned below)
{
	struct jc_ration *least = NULL;
	float lowest = 0.0f;

	for (size_t i = 0; i < count; i++) {
		if (rations[i].priority != priority || rations[i].level >= below) {
			continue;
		}
		float now = score(&rations[i], bests[i]);

		if (!least || now <= lowest) {
			least = &rations[i];
			lowest = now;
		}
	}
	return least;
}

static float cost_of(const struct jc_ration *ration)
{
	return ration->level < JC_LEVELS ? ration->costs[ration->level] : 0.0f;
}

void jc_ration_fit(struct jc_ration *rations, size_t count, float budget)
{
	uint8_t bests[JC_MAX_BODIES];
	unsigned most = 0;
	float sum = 0.0f;

	for (size_t i = 0; i < count; i++) {
		bests[i] = rations[i].level;
		most = rations[i].priority > most ? rations[i].priority : most;
		sum += cost_of(&rations[i]);
	}
	/* All bodies get the coarsest level before one gets a finer level. */
	for (unsigned below = JC_LEVELS - 1; below <= JC_LEVELS; below++) {
		for (unsigned priority = 0; priority <= most; priority++) {
			struct jc_ration *least;

			while (sum > budget &&
				(least = find_least(rations, bests, count, priority, below))) {
				sum -= cost_of(least);
				least->level++;
				sum += cost_of(least);
			}
		}
	}
}
