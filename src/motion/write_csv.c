/* A clip as a table of poses; see csv.c. Signs of neighbouring quaternions agree,
 * so that a column is a curve. */
#include "csv.h"
#include "jointcast/limits.h"
#include "jointcast/write.h"
#include "losses.h"
#include "output.h"

#define TIME_DIGITS  12
#define FLOAT_DIGITS 9

static bool has(const struct jc_clip *clip, int bone)
{
	return jc_motion_info(clip->motion)->bone_mask >> bone & 1;
}

static void put_header(const struct jc_clip *clip, struct jc_output *output)
{
	jc_output_text(output, JC_CSV_FIRST_WORDS
		": time in seconds; hips moved from the T-pose in hips heights; each bone's turn "
		"from the T-pose against the bone above as a unit quaternion (+Y up, facing +Z), "
		"empty where it is absent\n"
		"time,hips.x,hips.y,hips.z");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int axis = 0; axis < 4 && has(clip, b); axis++) {
			jc_output_text(output, ",%s.q%s", jc_bone_name((enum jc_bone)b),
				jc_csv_axes[axis]);
		}
	}
	jc_output_put(output, "\n", 1);
}

static void put_cells(struct jc_output *output, const float *values, size_t count, float sign)
{
	for (size_t i = 0; i < count; i++) {
		jc_output_put(output, ",", 1);
		jc_output_number(output, (double)(sign * values[i]), FLOAT_DIGITS);
	}
}

static void put_row(const struct jc_clip *clip, size_t frame, const struct jc_pose *pose,
	struct jc_quat before[JC_BONE_COUNT], struct jc_output *output)
{
	const struct jc_vec3 *hips = &pose->hips_translation;

	jc_output_number(output, (double)frame * clip->frame_seconds, TIME_DIGITS);
	put_cells(output, (const float[]){ hips->x, hips->y, hips->z }, 3, 1.0f);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_quat q = pose->rotations[b];
		float dot = q.x * before[b].x + q.y * before[b].y + q.z * before[b].z +
			    q.w * before[b].w;
		float sign = dot < 0.0f ? -1.0f : 1.0f;

		if (!has(clip, b)) {
			continue;
		}
		if (pose->states[b] == JC_ABSENT) {
			jc_output_put(output, ",,,,", 4);
			continue;
		}
		put_cells(output, (const float[]){ q.x, q.y, q.z, q.w }, 4, sign);
		before[b] = (struct jc_quat){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
	}
	jc_output_put(output, "\n", 1);
}

int jc_write_csv(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_output output = { 0 };
	struct jc_losses losses = { 0 };
	struct jc_quat before[JC_BONE_COUNT] = { 0 };
	int error;

	if (clip->frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			clip->frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	put_header(clip, &output);
	for (size_t i = 0; i < clip->frame_count && !output.error; i++) {
		struct jc_pose pose;

		clip->pose(clip->context, i, &pose);
		jc_losses_add(&losses, &pose);
		put_row(clip, i, &pose, before, &output);
	}
	error = jc_output_finish(&output, out_file, diagnostic);
	if (!error) {
		losses.gaps = 0; /* empty cells say so */
		jc_losses_report(
			&losses, clip, jc_motion_info(clip->motion)->bone_mask, false, false, lint);
	}
	return error;
}
