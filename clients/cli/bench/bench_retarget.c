/* Measures the time from a motion to the node transforms of an avatar, per body frame. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/bench_statistics.h"
#include "error_report.h"
#include "jointcast/fitting.h"
#include "report/json_writer.h"
#include "terminal_text.h"

struct row {
	const char *motion;
	const char *skeleton;
	double retarget, with_pose, with_nodes; /* microseconds per body frame */
};

/* The data of one measurement: a fitting, with poses and body frames computed in advance. */
struct subject {
	struct jc_fitting fitting;
	size_t count;
	struct jc_pose *poses;
	struct jc_body_frame *frames; /* NULL when the motion holds poses */
	volatile float kept;
};

/* More than the first-level cache holds, as in real use; longer motions repeat. */
static const size_t count_maximum = 128;

static double frame_time(const struct subject *subject, size_t call)
{
	const struct jc_motion_info *info = jc_motion_info(subject->fitting.motion);

	return info->duration * (double)(call % info->frame_count) / (double)info->frame_count;
}

static int subject_init(
	struct subject *subject, const struct jc_motion *motion, const struct jc_skeleton *skeleton)
{
	const struct jc_motion_info *info = jc_motion_info(motion);
	bool tracked = info->kind == JC_MOTION_BODY_FRAMES;
	int error = jc_fitting_init(&subject->fitting, motion, skeleton, &JC_FITTING_DEFAULTS);

	if (error) {
		return error;
	}
	subject->count = info->frame_count < count_maximum ? info->frame_count : count_maximum;
	subject->poses = calloc(subject->count, sizeof(*subject->poses));
	subject->frames = tracked ? calloc(subject->count, sizeof(*subject->frames)) : NULL;
	if (!subject->poses || (tracked && !subject->frames)) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < subject->count; i++) {
		double t = frame_time(subject, i);

		jc_solver_sample(&subject->fitting.solver, motion, t, &subject->poses[i]);
		if (tracked) {
			jc_motion_body_frame(motion, t, &subject->frames[i]);
		}
	}
	return JC_OK;
}

static void subject_finish(struct subject *subject)
{
	free(subject->frames);
	free(subject->poses);
	jc_fitting_finish(&subject->fitting);
}

/* Reads the result, because a compiler may remove a computation without effect. */
static void keep(struct subject *subject)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		subject->kept = subject->fitting.pose.rotations[bone].w;
	}
}

static void run_retarget(void *context, size_t call)
{
	struct subject *subject = context;

	jc_retargeter_apply(subject->fitting.retargeter, &subject->poses[call % subject->count],
		&subject->fitting.pose);
	keep(subject);
}

/* A body frame is only solved; the pose of a motion file is sampled from its frames. */
static void run_with_pose(void *context, size_t call)
{
	struct subject *subject = context;
	const struct jc_fitting *fitting = &subject->fitting;
	struct jc_pose pose;

	if (subject->frames) {
		jc_solver_solve(&fitting->solver, &subject->frames[call % subject->count], &pose);
	} else {
		jc_motion_pose(fitting->motion, frame_time(subject, call), &pose);
	}
	jc_retargeter_apply(fitting->retargeter, &pose, &subject->fitting.pose);
	keep(subject);
}

static void run_with_nodes(void *context, size_t call)
{
	struct subject *subject = context;

	run_retarget(context, call);
	jc_skeleton_locals(
		subject->fitting.skeleton, &subject->fitting.pose, subject->fitting.locals);
}

static int measure(const struct jc_bench *bench, const struct jc_motion *motion,
	const struct jc_skeleton *skeleton, struct row *row)
{
	struct subject subject = { 0 };
	int error = subject_init(&subject, motion, skeleton);

	if (!error) {
		row->retarget =
			jc_bench_median_time(bench->batches, bench->calls, run_retarget, &subject);
		row->with_pose =
			jc_bench_median_time(bench->batches, bench->calls, run_with_pose, &subject);
		row->with_nodes = jc_bench_median_time(
			bench->batches, bench->calls, run_with_nodes, &subject);
	}
	subject_finish(&subject);
	return error;
}

static void write_row(
	const struct jc_bench *bench, struct jc_json_writer *json, const struct row *row)
{
	if (!bench->json) {
		printf("%8.3f  %9.3f  %8.3f  ", row->retarget, row->with_pose, row->with_nodes);
		jc_terminal_write(stdout, row->motion);
		fputs(" on ", stdout);
		jc_terminal_write(stdout, row->skeleton);
		putchar('\n');
		return;
	}
	jc_json_line(json);
	jc_json_begin_object(json, NULL);
	jc_json_write_string(json, "motion", row->motion);
	jc_json_write_string(json, "skeleton", row->skeleton);
	jc_json_write_double(json, "retarget_us", row->retarget);
	jc_json_write_double(json, "pose_and_retarget_us", row->with_pose);
	jc_json_write_double(json, "worn_us", row->with_nodes);
	jc_json_end_object(json);
}

static int measure_pair(const struct jc_bench *bench, const struct jc_bench_input *motion,
	const struct jc_bench_input *skeleton, struct jc_json_writer *json)
{
	struct row row = { .motion = motion->name, .skeleton = skeleton->name };

	if (measure(bench, jc_bench_motion(motion), jc_bench_skeleton(skeleton), &row) != JC_OK) {
		return jc_report(JC_EXIT_IO, skeleton->name, "out of memory");
	}
	write_row(bench, json, &row);
	return JC_EXIT_DONE;
}

/* Measures the first motion of every file on the first skeleton of every other file. */
static int measure_pairs(const struct jc_bench *bench, struct jc_json_writer *json)
{
	for (size_t m = 0; m < bench->input_count; m++) {
		for (size_t s = 0; s < bench->input_count; s++) {
			const struct jc_bench_input *motion = &bench->inputs[m];
			const struct jc_bench_input *skeleton = &bench->inputs[s];
			int status;

			if (!jc_bench_motion(motion) || !jc_bench_skeleton(skeleton)) {
				continue;
			}
			status = measure_pair(bench, motion, skeleton, json);
			if (status != JC_EXIT_DONE) {
				return status;
			}
		}
	}
	return JC_EXIT_DONE;
}

int jc_bench_retarget(const struct jc_bench *bench)
{
	struct jc_json_writer json;
	int status;

	jc_json_writer_init(&json, stdout);
	if (bench->json) {
		jc_json_begin_object(&json, NULL);
		jc_json_begin_array(&json, "rows");
	} else {
		puts("retarget  with pose      worn  microseconds per body frame");
	}
	status = measure_pairs(bench, &json);
	if (bench->json) {
		jc_json_end_array(&json);
		jc_json_end_object(&json);
		putchar('\n');
	}
	return status;
}
