/* Each space is a pair: the origin half and the distribution half. */
#include "space/spaces.h"

#include <string.h>

#include "base/ticker.h"

int jc_spaces_init(struct jc_spaces *spaces, struct jc_diagnostic *diagnostic)
{
	spaces->count = 0;
	memset(&spaces->lateness, 0, sizeof(spaces->lateness));
	jc_clock_init(&spaces->clock);
	spaces->start_ns = spaces->clock.epoch_ns;
	return jc_wardrobe_init(&spaces->wardrobe, diagnostic);
}

void jc_spaces_finish(struct jc_spaces *spaces)
{
	for (size_t i = 0; i < spaces->count; i++) {
		jc_fanout_finish(&spaces->fanouts[i]);
	}
	jc_wardrobe_finish(&spaces->wardrobe);
}

struct jc_fanout *jc_spaces_find(struct jc_spaces *spaces, const char *name)
{
	for (size_t i = 0; i < spaces->count; i++) {
		if (strcmp(jc_space_options(spaces->fanouts[i].space)->name, name) == 0) {
			return &spaces->fanouts[i];
		}
	}
	return NULL;
}

int jc_spaces_open(struct jc_spaces *spaces, const char *name, struct jc_fanout **out_fanout)
{
	struct jc_fanout *fanout = jc_spaces_find(spaces, name);

	if (fanout) {
		*out_fanout = fanout;
		return JC_OK;
	}
	if (spaces->count == JC_MAX_SPACES) {
		return JC_ERROR_LIMIT;
	}
	fanout = &spaces->fanouts[spaces->count];
	jc_fanout_init(fanout);

	/* Wall-clock microseconds tell this run's epoch from any other's. */
	struct jc_space_options options = { .name = name,
		.id = (uint32_t)spaces->count + 1,
		.epoch = (uint64_t)spaces->clock.wall_us,
		.hz = JC_TICK_HZ,
		.start_ns = spaces->start_ns,
		.distribution = &fanout->distribution };
	int status = jc_space_create(&options, &fanout->space);

	if (status != JC_OK) {
		return status;
	}
	spaces->count++;
	*out_fanout = fanout;
	return JC_OK;
}

static void tick_space(struct jc_fanout *fanout, uint32_t tick, int64_t now_ns)
{
	uint64_t delivered = fanout->delivered;
	int64_t begun_ns = jc_clock_now_ns();

	jc_space_tick(fanout->space, tick, now_ns);
	if (fanout->delivered > delivered) {
		int64_t written_ns = jc_clock_now_ns();

		jc_space_written(fanout->space, written_ns);
		jc_histogram_add(&fanout->spent, written_ns - begun_ns);
	}
}

void jc_spaces_tick(struct jc_spaces *spaces, uint32_t tick, int64_t now_ns)
{
	jc_histogram_add(
		&spaces->lateness, now_ns - jc_tick_time_ns(spaces->start_ns, JC_TICK_HZ, tick));
	for (size_t i = 0; i < spaces->count; i++) {
		tick_space(&spaces->fanouts[i], tick, now_ns);
	}
}
