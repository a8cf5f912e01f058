/* A recording from anywhere that is replayed in a space. The first byte is how many commands
 * there are, the second holds the switches below; then come the commands, two bytes each, and
 * the recording. The space ticks at 60 Hz, and a viewer of everything has each body encoded.
 *
 * The position stays within the range that is played, packets are finite, no two bodies have
 * one name, a command never fails, and with the replay all its bodies are gone. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <uv.h>

#include "../unit/daemon/support/nobody.h"
#include "base/ticker.h"
#include "jointcast/limits.h"
#include "replay/replay.h"
#include "replay/uploaded_recording.h"
#include "target.h"

#define POOL    0x01 /* pages are read by the pool of libuv */
#define LOOP    0x02
#define PAUSED  0x04
#define RENAMED 0x08
#define ASSET   0x10 /* all wear the built-in one */
#define PART    0x20 /* a part of it is played */
#define GOES_ON 0x40 /* another replay of it enters half-way */

#define TICKS         60
#define MOST_COMMANDS 32
#define MOST_TICKS    16 /* of one command */

enum command { TICK, LATE_TICK, SEEK, SEEK_NEAR, PAUSE, SPEED, LOOPS, RANGE, COMMANDS };

struct stage {
	struct jc_distribution distribution;
	struct jc_space *space;
	struct jc_body_stream *body_streams[JC_MAX_BODIES];
	struct jc_replays replays;
	uv_loop_t loop;
	struct jc_log log;
	uint32_t tick;
};

static struct jc_skeleton_table skeleton_table;

static void plan(struct jc_distribution *distribution, uint32_t tick)
{
	static const struct jc_stream_spec spec = {
		.chains = true, .precision = JC_PRECISION_FINE, .rate = 1, .sections = JC_STREAM_ALL
	};
	struct stage *stage = (struct stage *)distribution;

	for (size_t i = 0; i < jc_space_body_count(stage->space); i++) {
		const struct jc_body *body = jc_space_body(stage->space, i);
		struct jc_body_stream **body_stream = &stage->body_streams[body->slot];

		if (!*body_stream) {
			*body_stream =
				jc_space_acquire(stage->space, body, body->asset, &spec, true);
		}
		assert(*body_stream);
		jc_body_stream_want(*body_stream, tick % 7 == 0);
	}
}

static void check_body(const struct stage *stage, const struct jc_body *body)
{
	assert(stage->body_streams[body->slot]->common.length <= JC_BODY_STREAM_PACKET_BYTES);
	assert(isfinite(body->position.x) && isfinite(body->position.y) &&
		isfinite(body->position.z));
	assert(memchr(body->name, '\0', sizeof(body->name)));
	assert(memchr(body->display, '\0', sizeof(body->display)));
	for (size_t i = 0; i < jc_space_body_count(stage->space); i++) {
		const struct jc_body *other = jc_space_body(stage->space, i);

		assert(other == body || other->leaving || strcmp(other->name, body->name) != 0);
	}
}

static void cast(struct jc_distribution *distribution, uint32_t tick)
{
	const struct stage *stage = (const struct stage *)distribution;

	(void)tick;
	for (size_t i = 0; i < jc_space_body_count(stage->space); i++) {
		check_body(stage, jc_space_body(stage->space, i));
	}
}

static void body_left(struct jc_distribution *distribution, uint32_t id, size_t slot)
{
	struct stage *stage = (struct stage *)distribution;

	(void)id;
	if (stage->body_streams[slot]) {
		jc_space_release(stage->body_streams[slot]);
		stage->body_streams[slot] = NULL;
	}
}

static const struct jc_distribution_ops stage_ops = {
	.plan = plan,
	.cast = cast,
	.body_entered = nobody_enters,
	.body_left = body_left,
	.roster_due = nobody_due,
	.announce = nobody_hears,
};

static void on_change(void *context, const struct jc_replay *replay, enum jc_replay_change change)
{
	const struct jc_replays *replays = &((const struct stage *)context)->replays;
	bool is_listed = jc_replays_find(replays, jc_replay_id(replay)) == replay;

	assert(is_listed == (change != JC_REPLAY_ENDED));
}

static void open_stage(struct stage *stage)
{
	struct jc_space_options options = {
		.name = "lobby", .id = 1, .hz = TICKS, .distribution = &stage->distribution
	};
	struct jc_diagnostic diagnostic;

	if (!skeleton_table.humanoid) {
		int status = jc_skeleton_table_init(&skeleton_table, &diagnostic);

		assert(status == JC_OK);
	}
	*stage = (struct stage){
		.distribution.ops = &stage_ops, .replays = { .on_change = on_change }, .tick = 600
	};
	stage->replays.context = stage;
	jc_log_init(&stage->log, -1, NULL);
	int status = jc_space_create(&options, &stage->space);

	assert(status == JC_OK);
	status = uv_loop_init(&stage->loop);
	assert(status == 0);
}

static void close_stage(struct stage *stage)
{
	jc_space_destroy(stage->space);
	uv_run(&stage->loop, UV_RUN_DEFAULT);
	int status = uv_loop_close(&stage->loop);

	assert(status == 0);
	/* Outfits of the recording went with it. */
	assert(skeleton_table.count == 1);
}

/* The file is a copy in memory. NULL: it is refused, with a reason. */
static struct jc_replay *begin(
	struct stage *stage, uint8_t switches, const uint8_t *bytes, size_t length)
{
	static const struct jc_body_names as_they_were;
	static const struct jc_body_names renamed = {
		.prefix = "an old \xc3\xa4", .rename_count = 1, .renames = { { "Ada", "Grace" } }
	};
	struct jc_replay_options options = { .names = switches & RENAMED ? &renamed : &as_they_were,
		.asset = switches & ASSET ? skeleton_table.humanoid : NULL,
		.from = switches & PART ? 0.25 : 0,
		.until = switches & PART ? 0.5 : JC_LIMIT_BODY_TIME,
		.speed = 1.0,
		.loop = switches & LOOP,
		.is_paused = switches & PAUSED };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_replay_file *file = NULL;
	struct jc_replay *replay = NULL;
	int fd = memfd_create("recording", MFD_CLOEXEC);

	assert(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
	/* Files of clients are checked first. */
	if (jc_mcap_is(bytes, length) && jc_uploaded_recording_check(bytes, length,
						 JC_MAX_MOTION_UNPACKED, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0]);
	}
	if (jc_replay_file_open_descriptor(fd, "recording.mcap", &file, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0]);
		return NULL;
	}
	jc_replay_file_attach(file, switches & POOL ? &stage->loop : NULL, &stage->log);
	if (jc_replay_create(&options, file, stage->space, &skeleton_table, &stage->replays,
		    &replay, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0]);
		jc_replay_file_close(file);
		return NULL;
	}
	for (size_t i = 0; i < jc_replay_marker_count(replay); i++) {
		assert(isfinite(jc_replay_marker(replay, i).time));
		assert(jc_replay_marker(replay, i).text);
	}
	return replay;
}

static void tick(struct stage *stage, uint32_t steps)
{
	stage->tick += steps;
	jc_space_tick(stage->space, stage->tick);
	/* The disk answers before the next tick or fails. */
	uv_run(&stage->loop, UV_RUN_DEFAULT);
}

static void check_state(const struct jc_replay *replay)
{
	struct jc_replay_state state;

	jc_replay_state(replay, &state);
	assert(state.from >= 0.0 && state.from <= state.until);
	assert(state.until <= jc_replay_duration(replay));
	assert(state.time >= state.from && state.time <= state.until);
	assert(state.speed >= JC_REPLAY_SPEED_LEAST && state.speed <= JC_MAX_REPLAY_SPEED);
}

static void obey(struct stage *stage, struct jc_replay *replay, uint8_t command, uint8_t value)
{
	double duration = jc_replay_duration(replay);
	double share = value / 255.0;

	switch ((enum command)(command % COMMANDS)) {
	case TICK:
		for (int i = 0; i <= value % MOST_TICKS; i++) {
			tick(stage, 1);
		}
		break;
	case LATE_TICK:
		tick(stage, 1u + value);
		break;
	case SEEK:
		jc_replay_seek(replay, share * 1.1 * duration);
		break;
	case SEEK_NEAR:
		jc_replay_seek(replay, value * 0.01);
		break;
	case PAUSE:
		jc_replay_pause(replay, value & 1);
		break;
	case SPEED:
		jc_replay_set_speed(
			replay, fmin(JC_REPLAY_SPEED_LEAST + share * JC_MAX_REPLAY_SPEED,
					JC_MAX_REPLAY_SPEED));
		break;
	case LOOPS:
		jc_replay_set_loop(replay, value & 1);
		break;
	case RANGE:
		jc_replay_set_range(
			replay, (value >> 4) / 15.0 * duration, (value & 15) / 15.0 * duration);
		break;
	case COMMANDS:
		break;
	}
	check_state(replay);
}

static void perform(struct stage *stage, struct jc_replay *replay, uint8_t switches,
	const uint8_t *commands, size_t count, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (i == count / 2 && switches & GOES_ON) {
			begin(stage, switches & POOL, bytes, length);
		}
		obey(stage, replay, commands[2 * i], commands[2 * i + 1]);
	}
	tick(stage, 1);
	assert(stage->replays.count > 0);
	while (stage->replays.count > 0) {
		jc_replay_end(stage->replays.list[0]);
	}
	tick(stage, 1);
	assert(jc_space_body_count(stage->space) == 0 && jc_space_is_idle(stage->space));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stage stage;
	size_t count = size > 0 ? data[0] % (MOST_COMMANDS + 1) : 0;

	if (size < 2 + 2 * count) {
		return 0;
	}
	const uint8_t *bytes = data + 2 + 2 * count;
	size_t length = size - 2 - 2 * count;

	open_stage(&stage);
	struct jc_replay *replay = begin(&stage, data[1], bytes, length);

	if (replay) {
		perform(&stage, replay, data[1], data + 2, count, bytes, length);
	}
	close_stage(&stage);
	return 0;
}
