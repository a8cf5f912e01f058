/* Converts limits and segments to the axes of a figure, which are those of the humanoid for every
 * joint. */
#include "hanim_body.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/segment.h"
#include "write_losses.h"

/* Rests that differ by more are different, in radians. */
#define SAME_REST 1e-3f

/* Rotation of a node in the figure at rest. */
static struct jc_quat find_rotation(const struct jc_hanim_placement *placement, int node)
{
	struct jc_mat4 matrix =
		jc_hanim_placement_matrix(placement, jc_hanim_placement_joint(placement, node));
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	jc_mat4_decompose(jc_mat4_multiply(matrix, placement->worlds[node]), &transform, NULL);
	return transform.rotation;
}

/* Rotation from the rest of the skeleton to that of the figure. */
static struct jc_quat find_change(const struct jc_hanim_placement *placement, int node)
{
	struct jc_transform rest = JC_TRANSFORM_IDENTITY;

	if (node < 0) {
		return jc_quat_conjugate(jc_skeleton_facing(placement->skeleton));
	}
	jc_mat4_decompose(jc_skeleton_rest_worlds(placement->skeleton)[node], &rest, NULL);
	return jc_quat_multiply(find_rotation(placement, node), jc_quat_conjugate(rest.rotation));
}

static void keep_limits(struct jc_hanim_body *body, const struct jc_hanim_placement *placement,
	struct jc_lint *lint)
{
	const struct jc_joint_limit *limits = jc_skeleton_limits(placement->skeleton);
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(placement->skeleton);
	struct jc_write_losses_names lost = { 0 };

	for (size_t i = 0; i < jc_skeleton_limit_count(placement->skeleton); i++) {
		struct jc_joint_limit *limit = &body->limits[body->limit_count];
		int node = limits[i].node;

		if (placement->places[node] < 0 ||
			(!limits[i].is_unlimited &&
				jc_quat_angle(find_change(placement, node),
					find_change(placement, nodes[node].parent)) > SAME_REST)) {
			jc_write_losses_add_name(&lost, nodes[node].name);
			continue;
		}
		*limit = limits[i];
		limit->node = placement->places[node];
		limit->orientation =
			jc_quat_multiply(find_rotation(placement, node), limits[i].orientation);
		body->limit_count++;
	}
	jc_write_losses_report_names(&lost, "limits-lost", "limits of joints not kept", lint);
}

static void keep_segments(struct jc_hanim_body *body, const struct jc_hanim_placement *placement)
{
	int root = jc_skeleton_bone_node(placement->skeleton, JC_BONE_HIPS);

	for (size_t i = 0; i < body->segment_count; i++) {
		struct jc_skeleton_segment *segment = &body->segments[i];
		int joint = jc_hanim_placement_joint(placement, segment->node);
		struct jc_mat4 matrix;

		joint = joint < 0 ? root : joint;
		matrix = jc_mat4_multiply(jc_hanim_placement_matrix(placement, joint),
			placement->worlds[segment->node]);
		jc_skeleton_segment_transform(segment, &matrix);
		segment->node = placement->places[joint];
	}
}

int jc_hanim_body_init(struct jc_hanim_body *body, const struct jc_hanim_placement *placement,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t limits = jc_skeleton_limit_count(placement->skeleton);
	size_t segments = jc_skeleton_segment_count(placement->skeleton);

	*body = (struct jc_hanim_body){
		.limits = calloc(limits + 1, sizeof(*body->limits)),
		.segment_count = segments,
		.segments = calloc(segments + 1, sizeof(*body->segments)),
	};
	if (!body->limits || !body->segments) {
		jc_hanim_body_finish(body);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < segments; i++) {
		body->segments[i] = jc_skeleton_segments(placement->skeleton)[i];
	}
	keep_limits(body, placement, lint);
	keep_segments(body, placement);
	return JC_OK;
}

void jc_hanim_body_finish(struct jc_hanim_body *body)
{
	free(body->limits);
	free(body->segments);
	*body = (struct jc_hanim_body){ 0 };
}
