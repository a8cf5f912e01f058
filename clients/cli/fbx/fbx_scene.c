/* Walks the nodes of libassimp and joins the helper nodes with the node that they belong to. */
#include "fbx/fbx_scene.h"

#include <assimp/scene.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"

#define HELPER "_$AssimpFbx$_"
/* These place the mesh of a node and not its children; libassimp reverts them below the node. */
#define GEOMETRIC HELPER "Geometric"

/* The way from the root to a node. */
struct walk {
	struct jc_fbx_scene *scene;
	struct jc_diagnostic *diagnostic;
	const struct aiNode *links[JC_FBX_LINKS]; /* helper nodes above the next joint */
	int link_count;
	unsigned depth;
};

struct jc_mat4 jc_fbx_scene_matrix(const struct aiMatrix4x4 *m)
{
	return (struct jc_mat4){ { m->a1, m->b1, m->c1, m->d1, m->a2, m->b2, m->c2, m->d2, m->a3,
		m->b3, m->c3, m->d3, m->a4, m->b4, m->c4, m->d4 } };
}

struct jc_transform jc_fbx_scene_transform(struct jc_mat4 matrix)
{
	struct jc_transform transform = JC_TRANSFORM_IDENTITY;

	if (!jc_mat4_decompose(matrix, &transform, NULL)) {
		transform = JC_TRANSFORM_IDENTITY;
		transform.translation = jc_mat4_translation(matrix);
		transform.scale = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	return transform;
}

const char *jc_fbx_scene_name(const struct jc_fbx_joint *joint)
{
	return joint->links[joint->link_count - 1]->mName.data;
}

static int out_of_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Appends the joint of a node and of the helper nodes above it. */
static int add_joint(struct walk *walk, const struct aiNode *node, int parent)
{
	struct jc_fbx_scene *scene = walk->scene;
	struct jc_fbx_joint *joint;

	if (scene->joint_count == JC_LIMIT_NODES) {
		return jc_diagnose(walk->diagnostic, JC_ERROR_LIMIT, NULL, "has more than %u nodes",
			JC_LIMIT_NODES);
	}
	if (!jc_array_grow(&scene->joints, &scene->joint_capacity, scene->joint_count + 1,
		    JC_LIMIT_NODES, sizeof(*scene->joints))) {
		return out_of_memory(walk->diagnostic);
	}
	joint = &scene->joints[scene->joint_count++];
	*joint = (struct jc_fbx_joint){ .parent = parent };
	memcpy(joint->links, walk->links, sizeof(joint->links));
	joint->link_count = walk->link_count + 1;
	joint->links[walk->link_count] = node;
	joint->local = jc_fbx_scene_matrix(&joint->links[0]->mTransformation);
	for (int i = 1; i < joint->link_count; i++) {
		joint->local = jc_mat4_multiply(
			joint->local, jc_fbx_scene_matrix(&joint->links[i]->mTransformation));
	}
	joint->world = parent < 0 ? joint->local
				  : jc_mat4_multiply(scene->joints[parent].world, joint->local);
	for (unsigned i = 0; i < node->mNumMeshes; i++) {
		if (node->mMeshes[i] < scene->file->mNumMeshes) {
			scene->mesh_joints[node->mMeshes[i]] = (int)scene->joint_count - 1;
		}
	}
	return JC_OK;
}

/* Adds the joints at and below a node; `parent` is the joint above it. */
static int visit(struct walk *walk, const struct aiNode *node, int parent)
{
	bool is_helper = strstr(node->mName.data, HELPER) != NULL;
	bool is_link = is_helper && !strstr(node->mName.data, GEOMETRIC);
	int link_count = walk->link_count;
	int error = JC_OK;

	if (++walk->depth > JC_LIMIT_DEPTH * JC_FBX_LINKS) {
		return jc_diagnose(
			walk->diagnostic, JC_ERROR_LIMIT, NULL, "its nodes are nested too deep");
	}
	if (is_link && walk->link_count == JC_FBX_LINKS - 1) {
		return jc_diagnose(walk->diagnostic, JC_ERROR_LIMIT, NULL,
			"'%.60s' has a chain of more than %d transforms", node->mName.data,
			JC_FBX_LINKS);
	}
	if (is_link) {
		walk->links[walk->link_count++] = node;
	} else if (!is_helper) {
		error = add_joint(walk, node, parent);
		parent = (int)walk->scene->joint_count - 1;
		walk->link_count = 0;
	}
	for (unsigned i = 0; i < node->mNumChildren && !error; i++) {
		struct walk below = *walk;

		error = visit(&below, node->mChildren[i], parent);
	}
	walk->link_count = link_count;
	walk->depth--;
	return error;
}

static double metadata_number(const struct aiScene *file, const char *key, double otherwise)
{
	const struct aiMetadata *metadata = file->mMetaData;

	for (unsigned i = 0; metadata && i < metadata->mNumProperties; i++) {
		const struct aiMetadataEntry *entry = &metadata->mValues[i];
		int32_t integer;
		float number;
		double precise;

		if (strcmp(metadata->mKeys[i].data, key) != 0 || !entry->mData) {
			continue;
		}
		switch (entry->mType) {
		case AI_INT32:
			memcpy(&integer, entry->mData, sizeof(integer));
			return integer;
		case AI_FLOAT:
			memcpy(&number, entry->mData, sizeof(number));
			return (double)number;
		case AI_DOUBLE:
			memcpy(&precise, entry->mData, sizeof(precise));
			return precise;
		default:
			return otherwise;
		}
	}
	return otherwise;
}

/* A signed axis of the metadata; zero if the file names none. */
static struct jc_vec3 metadata_axis(
	const struct aiScene *file, const char *key, const char *sign_key, int otherwise)
{
	int axis = (int)metadata_number(file, key, otherwise);
	float sign = metadata_number(file, sign_key, 1.0) < 0.0 ? -1.0f : 1.0f;

	return (struct jc_vec3){ axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f,
		axis == 2 ? sign : 0.0f };
}

/* FBX names the axes that point right and up, and a factor from its unit to centimetres. The third
 * axis follows, as the coordinates of FBX are right-handed. libassimp applies neither. */
static int place(struct jc_fbx_scene *scene, struct jc_diagnostic *diagnostic)
{
	double unit = metadata_number(scene->file, "UnitScaleFactor", 1.0) / 100.0;
	struct jc_vec3 up = metadata_axis(scene->file, "UpAxis", "UpAxisSign", 1);
	struct jc_vec3 right = metadata_axis(scene->file, "CoordAxis", "CoordAxisSign", 0);
	struct jc_vec3 front = jc_vec3_cross(right, up);
	float scale = (float)unit;

	if (!(unit > 1e-9 && unit < 1e9)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "its UnitScaleFactor is %g",
			unit * 100.0);
	}
	if (jc_vec3_length(front) < 0.5f) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"its UpAxis and its CoordAxis are not two axes");
	}
	scene->placement = (struct jc_mat4){ { scale * right.x, scale * up.x, scale * front.x, 0.0f,
		scale * right.y, scale * up.y, scale * front.y, 0.0f, scale * right.z, scale * up.z,
		scale * front.z, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f } };
	return JC_OK;
}

int jc_fbx_scene_init(struct jc_fbx_scene *out_scene, const struct aiScene *file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_fbx_scene scene = { .file = file };
	struct walk walk = { .scene = &scene, .diagnostic = diagnostic };
	int error;

	if (!file->mRootNode) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "contains no nodes");
	}
	scene.mesh_joints = calloc(file->mNumMeshes + (size_t)1, sizeof(*scene.mesh_joints));
	if (!scene.mesh_joints) {
		return out_of_memory(diagnostic);
	}
	for (unsigned i = 0; i < file->mNumMeshes; i++) {
		scene.mesh_joints[i] = -1;
	}
	error = place(&scene, diagnostic);
	if (!error) {
		error = visit(&walk, file->mRootNode, -1);
	}
	if (error) {
		jc_fbx_scene_finish(&scene);
		return error;
	}
	*out_scene = scene;
	return JC_OK;
}

void jc_fbx_scene_finish(struct jc_fbx_scene *scene)
{
	free(scene->joints);
	free(scene->mesh_joints);
}
