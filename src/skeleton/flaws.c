/* Flaws that any file may have, whatever its format: what rotations cannot say
 * and limbs that hang elsewhere. */
#include "flaws.h"

#include "jointcast/transform.h"

static bool is_mirrored(const struct jc_skeleton *skeleton, int node)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (; node >= 0; node = nodes[node].parent) {
		struct jc_vec3 s = nodes[node].rest.scale;

		if (s.x < 0.0f || s.y < 0.0f || s.z < 0.0f) {
			return true;
		}
	}
	return false;
}

/* What rotations alone cannot say about a bone; the first of its kind will do. */
static void lint_scales(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const char *name = jc_bone_name((enum jc_bone)b);
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
		struct jc_transform world;
		float shear = 0.0f;

		if (node < 0) {
			continue;
		}
		if (is_mirrored(skeleton, node)) {
			jc_lint_add(lint, JC_WARNING, "mirrored",
				"%s: negative scale at or above its node; it may turn the other "
				"way",
				name);
			return;
		}
		if (!jc_mat4_decompose(jc_skeleton_rest_worlds(skeleton)[node], &world, &shear)) {
			jc_lint_add(lint, JC_WARNING, "flat-bone",
				"%s: its node is scaled to nothing", name);
			return;
		}
		if (shear > 1e-3f) {
			jc_lint_add(lint, JC_WARNING, "sheared-bone",
				"%s: uneven scale above a turned node shears it", name);
			return;
		}
	}
}

static void lint_hierarchy(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		enum jc_bone expected = jc_bone_parent((enum jc_bone)b);

		while (expected != JC_BONE_NONE && jc_skeleton_bone_node(skeleton, expected) < 0) {
			expected = jc_bone_parent(expected);
		}
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0 &&
			jc_skeleton_mapped_parent(skeleton, (enum jc_bone)b) != expected) {
			jc_lint_add(lint, JC_WARNING, "detached-bone", "%s does not hang below %s",
				jc_bone_name((enum jc_bone)b), jc_bone_name(expected));
		}
	}
}

void jc_flaws_list(const struct jc_skeleton *skeleton, struct jc_lint *lint)
{
	lint_scales(skeleton, lint);
	lint_hierarchy(skeleton, lint);
}
