/* Tests that captures with face and gaze replay with the same bits, whichever frame declares the
 * channels. The events come from a list in place of the OpenXR thread. */
#include <math.h>
#include <string.h>

#include "source/capture_intake.h"
#include "source/openxr/openxr_source.h"
#include "source/openxr/xr_client.h"
#include "unit_test.h"

#define MS      INT64_C(1000000)
#define EPOCH   INT64_C(3000000000)
#define TICK    (100 * MS)
#define FRAME   (10 * MS)
#define TICKS   6
#define FOREVER JC_CAPTURE_TIME_MAX

static struct jc_xr_event_ring ring;

int jc_xr_client_create(const struct jc_xr_options *options, struct jc_xr_client **out_client)
{
	(void)options;
	*out_client = NULL;
	return JC_OK;
}

void jc_xr_client_set_roles(struct jc_xr_client *client, const struct jc_tracker_roles *roles)
{
	(void)client;
	(void)roles;
}

const struct jc_xr_event *jc_xr_client_peek(struct jc_xr_client *client)
{
	(void)client;
	return jc_xr_event_ring_peek(&ring);
}

void jc_xr_client_drop(struct jc_xr_client *client)
{
	(void)client;
	jc_xr_event_ring_drop(&ring);
}

int64_t jc_xr_client_busy_ns(const struct jc_xr_client *client, int64_t now_ns)
{
	(void)client;
	(void)now_ns;
	return 0;
}

void jc_xr_client_destroy(struct jc_xr_client *client)
{
	(void)client;
}

static void put_frame(int64_t time_ns, bool has_shapes, bool has_gaze)
{
	struct jc_xr_event *event = jc_xr_event_ring_free(&ring);
	float share = (float)(time_ns / MS % 1000) * 1e-3f;

	assert_non_null(event);
	memset(event, 0, sizeof(*event));
	event->kind = JC_XR_FRAME;
	event->frame.time_ns = time_ns;
	event->frame.confidence = 1.0f;
	event->frame.joints[JC_JOINT_HEAD] =
		(struct jc_body_joint){ .position = { 0.1f * share, 1.6f, 0.0f },
			.orientation = { 0.0f, 0.0f, 0.0f, 1.0f },
			.state = JC_TRACKED };
	event->face.has_shapes = has_shapes;
	event->face.has_gaze = has_gaze;
	for (int i = 0; i < JC_FACE_SHAPES; i++) {
		event->face.shapes[i] = share;
	}
	event->face.gaze = (struct jc_quat){ 0.0f, sinf(0.3f * share), 0.0f, cosf(0.3f * share) };
	jc_xr_event_ring_put(&ring);
}

/* Takes the form and the captures of one sample, in the order of a recording. */
static void replay(const struct jc_capture_intake *from, struct jc_source *to)
{
	const struct jc_capture_form *form = jc_capture_form(from);
	const uint8_t *bytes;
	size_t length;

	for (size_t i = jc_capture_form(to->intake)->channel_count; i < form->channel_count; i++) {
		assert_int_equal(
			jc_capture_intake_add_channel(to->intake, to, form->channels[i]), JC_OK);
	}
	for (size_t i = 0; i < jc_capture_intake_count(from); i++) {
		jc_capture_intake_capture(from, i, &bytes, &length);
		assert_int_equal(
			jc_capture_intake_put(to->intake, bytes, length, 0, FOREVER), JC_OK);
	}
}

static void assert_same(const struct jc_source_sample *a, const struct jc_source_sample *b)
{
	assert_memory_equal(a->pose.rotations, b->pose.rotations, sizeof(a->pose.rotations));
	assert_memory_equal(a->pose.states, b->pose.states, sizeof(a->pose.states));
	assert_memory_equal(a->values, b->values, sizeof(a->values));
	assert_int_equal(a->capture_ns, b->capture_ns);
	assert_int_equal(a->live, b->live);
}

/* Ten frames a tick; shapes and gaze begin with these frames. */
static void check(int first_shapes, int first_gaze)
{
	const struct jc_openxr_source_options options = { .profile = -1, .epoch_ns = EPOCH };
	const struct jc_capture_form form = { .kind = JC_CAPTURE_BODY_FRAME,
		.profile = JC_PROFILE_WEBXR_SPEC };
	struct jc_source *source, replayed = { 0 };
	struct jc_source_sample sample, same;
	struct jc_diagnostic diagnostic;
	size_t captures = 0;
	int64_t now = EPOCH;
	int frames = 0;

	assert_int_equal(jc_openxr_source_create(&options, &source, &diagnostic), JC_OK);
	assert_int_equal(jc_capture_intake_create(&form, EPOCH, &replayed.intake), JC_OK);
	for (int tick = 0; tick < TICKS; tick++) {
		for (int i = 0; i < TICK / FRAME; i++, frames++) {
			put_frame(now + i * FRAME, frames >= first_shapes, frames >= first_gaze);
		}
		now += TICK;
		source->ops->sample(source, now, &sample);
		replay(source->intake, &replayed);
		captures += jc_capture_intake_count(source->intake);
		jc_capture_intake_sample(replayed.intake, now, &same);
		assert_same(&sample, &same);
	}
	/* Later samples take the frames that waited. */
	assert_null(jc_xr_event_ring_peek(&ring));
	assert_int_equal(captures, frames);
	assert_int_equal(source->channels.count, JC_FACE_CHANNELS + 1);
	assert_true(sample.values[first_gaze < first_shapes ? 4 : 0] > 0.0f);
	jc_capture_intake_destroy(replayed.intake);
	source->ops->destroy(source);
}

static void gaze_before_shapes_in_one_sample(void **)
{
	check(3, 0);
	check(7, 3);
}

static void shapes_before_gaze_in_one_sample(void **)
{
	check(0, 3);
	check(12, 17);
}

static void both_at_once_after_frames_without_a_face(void **)
{
	check(4, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaze_before_shapes_in_one_sample),
		cmocka_unit_test(shapes_before_gaze_in_one_sample),
		cmocka_unit_test(both_at_once_after_frames_without_a_face),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
