/* Computes the bind pose of a skinned figure. Inverse bind matrices map the space of a
 * mesh to its joints. By the rules of glTF that is model space, but some exporters also
 * bake the rotation or scale of an armature into them, once for the whole skin. */
#include "bind_pose.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/hierarchy.h"

/* Differences below these are rounding (radians; metres, of scale 1). */
#define ANGLE_TOLERANCE  1.745e-3f
#define LENGTH_TOLERANCE 1e-4f

/* Posing never scales a whole figure: a larger difference was baked. */
#define SCALE_TOLERANCE 1e-2f

struct binding {
	int skin;                      /* the first skin that binds the node, or -1 */
	const struct jc_mat4 *inverse; /* its inverse bind matrix */
};

struct work {
	const struct jc_gltf *gltf;
	const int *bones;
	int *parents, *order;
	bool *is_needed; /* nodes of bones and their ancestors */
	struct binding *bindings;
	struct jc_mat4 *node_worlds, *bind_worlds;
	struct jc_mat4 *baked; /* by skin */
};

static void work_finish(struct work *work)
{
	free(work->parents);
	free(work->order);
	free(work->is_needed);
	free(work->bindings);
	free(work->node_worlds);
	free(work->bind_worlds);
	free(work->baked);
}

static int work_init(struct work *work, const struct jc_gltf *gltf, const int *bones)
{
	size_t count = jc_gltf_node_count(gltf) + 1;
	size_t skins = jc_gltf_skin_count(gltf) + 1;

	*work = (struct work){
		.gltf = gltf,
		.bones = bones,
		.parents = calloc(count, sizeof(*work->parents)),
		.order = calloc(count, sizeof(*work->order)),
		.is_needed = calloc(count, sizeof(*work->is_needed)),
		.bindings = calloc(count, sizeof(*work->bindings)),
		.node_worlds = calloc(count, sizeof(*work->node_worlds)),
		.bind_worlds = calloc(count, sizeof(*work->bind_worlds)),
		.baked = calloc(skins, sizeof(*work->baked)),
	};
	if (!work->parents || !work->order || !work->is_needed || !work->bindings ||
		!work->node_worlds || !work->bind_worlds || !work->baked) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < jc_gltf_node_count(gltf); i++) {
		work->parents[i] = jc_gltf_nodes(gltf)[i].parent;
		work->bindings[i].skin = -1;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int node = bones[b]; node >= 0 && !work->is_needed[node];
			node = work->parents[node]) {
			work->is_needed[node] = true;
		}
	}
	return jc_hierarchy_order(
		work->parents, jc_gltf_node_count(gltf), "nodes", work->order, NULL);
}

static struct jc_mat4 local_matrix(const struct work *work, int node)
{
	return jc_mat4_compose(jc_gltf_nodes(work->gltf)[node].local);
}

/* Largest difference of a and b: as rotation, and of translation and scale relative to
 * the larger of one and the values. */
static bool differs(struct jc_transform a, struct jc_transform b, float *out_angle)
{
	struct jc_vec3 moved = jc_vec3_subtract(a.translation, b.translation);
	struct jc_vec3 grown = jc_vec3_subtract(a.scale, b.scale);
	float reach = fmaxf(1.0f, jc_vec3_length(b.translation));
	float size = fmaxf(1.0f, jc_vec3_length(b.scale));

	*out_angle = jc_quat_angle(a.rotation, b.rotation);
	return *out_angle > ANGLE_TOLERANCE || jc_vec3_length(moved) > LENGTH_TOLERANCE * reach ||
	       jc_vec3_length(grown) > LENGTH_TOLERANCE * size;
}

static bool same_binding(const struct jc_mat4 *a, const struct jc_mat4 *b)
{
	struct jc_transform first, second;
	float angle;

	return jc_mat4_decompose(*a, &first, NULL) && jc_mat4_decompose(*b, &second, NULL) &&
	       !differs(first, second, &angle);
}

/* Uses the first skin that binds a joint. */
static void find_bindings(struct work *work, struct jc_bind_pose *pose, struct jc_lint *lint)
{
	bool is_linted = false;

	for (size_t s = 0; s < jc_gltf_skin_count(work->gltf); s++) {
		const struct jc_gltf_skin *skin = &jc_gltf_skins(work->gltf)[s];

		for (size_t j = 0; j < skin->joint_count; j++) {
			struct binding *binding = &work->bindings[skin->joints[j]];
			struct jc_transform ignored;

			pose->is_joint[skin->joints[j]] = true;
			if (!skin->inverse_bind ||
				!jc_mat4_decompose(skin->inverse_bind[j], &ignored, NULL)) {
				continue;
			}
			if (binding->skin < 0) {
				*binding = (struct binding){ (int)s, &skin->inverse_bind[j] };
			} else if (!is_linted && work->is_needed[skin->joints[j]] &&
				   !same_binding(binding->inverse, &skin->inverse_bind[j])) {
				is_linted = true;
				jc_lint_add(lint, JC_WARNING, "skins-disagree",
					"'%s' has different bind matrices in skins %d and %zu; the "
					"first is used",
					jc_gltf_nodes(work->gltf)[skin->joints[j]].name,
					binding->skin, s);
			}
		}
	}
}

static void place_nodes(struct work *work)
{
	for (size_t i = 0; i < jc_gltf_node_count(work->gltf); i++) {
		int node = work->order[i];
		int parent = work->parents[node];
		struct jc_mat4 local = local_matrix(work, node);

		work->node_worlds[node] =
			parent < 0 ? local : jc_mat4_multiply(work->node_worlds[parent], local);
	}
}

static void place_bound(struct work *work)
{
	for (size_t i = 0; i < jc_gltf_node_count(work->gltf); i++) {
		int node = work->order[i];
		int parent = work->parents[node];
		const struct binding *binding = &work->bindings[node];

		if (binding->skin >= 0) {
			work->bind_worlds[node] = jc_mat4_multiply(
				work->baked[binding->skin], jc_mat4_invert(*binding->inverse));
		} else {
			struct jc_mat4 local = local_matrix(work, node);

			work->bind_worlds[node] =
				parent < 0 ? local
					   : jc_mat4_multiply(work->bind_worlds[parent], local);
		}
	}
}

/* Whether the bind pose stands upright with its left at +X, as the reference pose does;
 * true if that cannot be measured. */
static bool stands_upright(const struct work *work)
{
	static const enum jc_bone tops[] = { JC_BONE_HEAD, JC_BONE_NECK, JC_BONE_UPPER_CHEST,
		JC_BONE_CHEST, JC_BONE_SPINE };
	static const enum jc_bone lefts[] = { JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_UPPER_LEG,
		JC_BONE_LEFT_HAND, JC_BONE_LEFT_FOOT };
	const float near = 0.7f; /* within 45 degrees */
	const int *bones = work->bones;

	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		if (bones[JC_BONE_HIPS] >= 0 && bones[tops[i]] >= 0) {
			struct jc_vec3 up = jc_vec3_subtract(
				jc_mat4_translation(work->bind_worlds[bones[tops[i]]]),
				jc_mat4_translation(work->bind_worlds[bones[JC_BONE_HIPS]]));

			if (up.y < near * jc_vec3_length(up)) {
				return false;
			}
			break;
		}
	}
	for (size_t i = 0; i < sizeof(lefts) / sizeof(*lefts); i++) {
		int left = bones[lefts[i]], right = bones[jc_bone_mirror(lefts[i])];

		if (left >= 0 && right >= 0) {
			struct jc_vec3 side =
				jc_vec3_subtract(jc_mat4_translation(work->bind_worlds[left]),
					jc_mat4_translation(work->bind_worlds[right]));

			return side.x >= near * jc_vec3_length(side);
		}
	}
	return true;
}

/* Finds the transform that a skin must have baked for its topmost bone joint to be where
 * its node is. True if it scales. */
static bool find_baked(struct work *work)
{
	bool scales = false;

	for (size_t i = jc_gltf_node_count(work->gltf); i-- > 0;) {
		int node = work->order[i];
		const struct binding *binding = &work->bindings[node];

		if (binding->skin >= 0 && work->is_needed[node]) {
			work->baked[binding->skin] =
				jc_mat4_multiply(work->node_worlds[node], *binding->inverse);
		}
	}
	for (size_t s = 0; s < jc_gltf_skin_count(work->gltf); s++) {
		struct jc_transform baked;

		if (!jc_mat4_decompose(work->baked[s], &baked, NULL)) {
			work->baked[s] = jc_mat4_compose(JC_TRANSFORM_IDENTITY);
			continue;
		}
		scales = scales || fabsf(fabsf(baked.scale.x) - 1.0f) > SCALE_TOLERANCE ||
			 fabsf(fabsf(baked.scale.y) - 1.0f) > SCALE_TOLERANCE ||
			 fabsf(fabsf(baked.scale.z) - 1.0f) > SCALE_TOLERANCE;
	}
	return scales;
}

static void forget_baked(struct work *work)
{
	for (size_t s = 0; s < jc_gltf_skin_count(work->gltf); s++) {
		work->baked[s] = jc_mat4_compose(JC_TRANSFORM_IDENTITY);
	}
}

/* Finds the bind world transforms: from the skins, or from the nodes if the skins do not
 * give an upright figure. */
static void find_worlds(struct work *work, struct jc_lint *lint)
{
	bool is_upright, scales;

	forget_baked(work);
	place_bound(work);
	is_upright = stands_upright(work);
	scales = find_baked(work);
	if (is_upright && !scales) {
		forget_baked(work);
		return;
	}
	place_bound(work);
	if (scales || stands_upright(work)) {
		jc_lint_add(lint, JC_NOTE, "baked-skin",
			"the inverse bind matrices contain a rotation or scale of their own; the "
			"figure stands as its nodes do");
		return;
	}
	forget_baked(work);
	place_bound(work);
}

static void take_locals(const struct work *work, struct jc_bind_pose *pose)
{
	for (size_t i = 0; i < pose->count; i++) {
		int parent = work->parents[i];
		struct jc_mat4 local = work->bind_worlds[i];

		pose->locals[i] = jc_gltf_nodes(work->gltf)[i].local;
		if (work->bindings[i].skin < 0) {
			continue;
		}
		if (parent >= 0) {
			local = jc_mat4_multiply(jc_mat4_invert(work->bind_worlds[parent]), local);
		}
		pose->is_bound[i] = jc_mat4_is_finite(local) &&
				    jc_mat4_decompose(local, &pose->locals[i], NULL);
		if (!pose->is_bound[i]) {
			pose->locals[i] = jc_gltf_nodes(work->gltf)[i].local;
		}
	}
}

static void lint_rest(
	const struct work *work, const struct jc_bind_pose *pose, struct jc_lint *lint)
{
	const char *worst = "";
	float most = -1.0f;
	size_t count = 0;

	for (size_t i = 0; i < pose->count; i++) {
		const struct jc_gltf_node *node = &jc_gltf_nodes(work->gltf)[i];
		float angle;

		if (pose->is_bound[i] && work->is_needed[i] &&
			differs(pose->locals[i], node->local, &angle)) {
			count++;
			if (angle > most) {
				most = angle;
				worst = node->name;
			}
		}
	}
	if (count) {
		jc_lint_add(lint, JC_WARNING, "bind-pose",
			"%zu joints have another rest pose than bind pose, '%s' by %.1f degrees; "
			"the "
			"bind pose is used",
			count, worst, (double)most * 57.29577951);
	}
}

int jc_bind_pose_init(struct jc_bind_pose *pose, const struct jc_gltf *gltf,
	const int bones[JC_BONE_COUNT], struct jc_lint *lint)
{
	size_t count = jc_gltf_node_count(gltf);
	struct work work;
	int error = work_init(&work, gltf, bones);

	*pose = (struct jc_bind_pose){
		.count = count,
		.locals = calloc(count + 1, sizeof(*pose->locals)),
		.is_joint = calloc(count + 1, sizeof(*pose->is_joint)),
		.is_bound = calloc(count + 1, sizeof(*pose->is_bound)),
	};
	if (error || !pose->locals || !pose->is_joint || !pose->is_bound) {
		work_finish(&work);
		jc_bind_pose_finish(pose);
		return JC_ERROR_MEMORY;
	}
	find_bindings(&work, pose, lint);
	place_nodes(&work);
	find_worlds(&work, lint);
	take_locals(&work, pose);
	lint_rest(&work, pose, lint);
	work_finish(&work);
	return JC_OK;
}

void jc_bind_pose_finish(struct jc_bind_pose *pose)
{
	free(pose->locals);
	free(pose->is_joint);
	free(pose->is_bound);
}
