/* Attaches virtual transforms to the bones of a written file. A virtual transform whose node is no
 * bone gets a node of its own: its flags refer to the position, rotation and scale of that node,
 * which a bone does not have. */
#include "gltf_sockets.h"

#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/posture.h"
#include "jointcast_private/virtual_placement.h"

struct finder {
	const struct jc_skeleton *skeleton;
	const struct jc_gltf_bones *bones;
	struct jc_gltf_sockets *sockets;
	struct jc_quat turn;    /* from model space to canonical space */
	struct jc_mat4 *worlds; /* owned: of the skeleton's nodes in the T-pose, model space */
	enum jc_bone *carriers; /* owned, by node: the bone at it */
	int *nodes;             /* owned, by node: its socket in the file, or -1 */
};

static int pose(struct finder *finder)
{
	size_t count = jc_skeleton_node_count(finder->skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));

	finder->worlds = calloc(count, sizeof(*finder->worlds));
	finder->carriers = calloc(count, sizeof(*finder->carriers));
	finder->nodes = calloc(count, sizeof(*finder->nodes));
	if (!locals || !finder->worlds || !finder->carriers || !finder->nodes) {
		free(locals);
		return JC_ERROR_MEMORY;
	}
	jc_posture_t_pose(finder->skeleton, locals);
	jc_skeleton_worlds(finder->skeleton, locals, finder->worlds);
	free(locals);
	for (size_t i = 0; i < count; i++) {
		finder->nodes[i] = -1;
		finder->carriers[i] = JC_BONE_NONE;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (finder->bones->nodes[b] >= 0) {
			finder->carriers[jc_skeleton_bone_node(finder->skeleton, (enum jc_bone)b)] =
				(enum jc_bone)b;
		}
	}
	return JC_OK;
}

static struct jc_mat4 bone_matrix(const struct finder *finder, enum jc_bone bone)
{
	return jc_mat4_compose((struct jc_transform){
		.translation = finder->bones->positions[bone],
		.rotation = finder->bones->rotations[bone],
		.scale = { 1.0f, 1.0f, 1.0f },
	});
}

/* The bone at a node or the nearest above it. */
static enum jc_bone find_bone(const struct finder *finder, int node)
{
	while (node >= 0 && finder->carriers[node] == JC_BONE_NONE) {
		node = jc_skeleton_nodes(finder->skeleton)[node].parent;
	}
	return node >= 0 ? finder->carriers[node] : JC_BONE_NONE;
}

/* Places a node in the file as it stands on the skeleton; returns its matrix there. */
static struct jc_mat4 add_socket(struct finder *finder, int node)
{
	struct jc_gltf_sockets *sockets = finder->sockets;
	struct jc_gltf_socket *socket = &sockets->items[sockets->count];
	struct jc_mat4 turn = jc_mat4_compose(
		(struct jc_transform){ .rotation = finder->turn, .scale = { 1.0f, 1.0f, 1.0f } });
	struct jc_mat4 local = jc_mat4_multiply(turn, finder->worlds[node]);
	struct jc_mat4 above = jc_mat4_compose(JC_TRANSFORM_IDENTITY);

	*socket = (struct jc_gltf_socket){
		.name = jc_skeleton_nodes(finder->skeleton)[node].name,
		.parent = find_bone(finder, node),
		.local = JC_TRANSFORM_IDENTITY,
	};
	if (socket->parent != JC_BONE_NONE) {
		above = bone_matrix(finder, socket->parent);
		local = jc_mat4_multiply(jc_mat4_invert(above), local);
	}
	jc_mat4_decompose(local, &socket->local, NULL);
	finder->nodes[node] = finder->bones->first_node + (int)sockets->count++;
	return jc_mat4_multiply(above, jc_mat4_compose(socket->local));
}

static struct jc_mat4 socket_matrix(const struct finder *finder, int node)
{
	const struct jc_gltf_socket *socket =
		&finder->sockets->items[finder->nodes[node] - finder->bones->first_node];
	struct jc_mat4 local = jc_mat4_compose(socket->local);

	return socket->parent == JC_BONE_NONE
		       ? local
		       : jc_mat4_multiply(bone_matrix(finder, socket->parent), local);
}

static void add_virtual(struct finder *finder, const struct jc_virtual_transform *source)
{
	struct jc_gltf_sockets *sockets = finder->sockets;
	struct jc_virtual_transform *virtual = &sockets->virtuals[sockets->virtual_count++];
	int node = source->parent;
	struct jc_mat4 after;

	*virtual = *source;
	if (node < 0) {
		jc_virtual_transform_carry(virtual, finder->turn, NULL, NULL);
		return;
	}
	if (finder->carriers[node] != JC_BONE_NONE) {
		after = bone_matrix(finder, finder->carriers[node]);
		virtual->parent = finder->bones->nodes[finder->carriers[node]];
	} else {
		after = finder->nodes[node] < 0 ? add_socket(finder, node)
						: socket_matrix(finder, node);
		virtual->parent = finder->nodes[node];
	}
	jc_virtual_transform_carry(virtual, finder->turn, &finder->worlds[node], &after);
}

int jc_gltf_sockets_find(const struct jc_skeleton *skeleton, const struct jc_gltf_bones *bones,
	struct jc_gltf_sockets *out_sockets, struct jc_diagnostic *diagnostic)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	struct finder finder = {
		.skeleton = skeleton,
		.bones = bones,
		.sockets = out_sockets,
		.turn = jc_quat_conjugate(jc_skeleton_facing(skeleton)),
	};
	int error = pose(&finder);

	out_sockets->count = 0;
	out_sockets->virtual_count = 0;
	for (size_t i = 0; !error && i < jc_skeleton_virtual_transform_count(skeleton); i++) {
		add_virtual(&finder, &virtuals[i]);
	}
	if (error) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	free(finder.worlds);
	free(finder.carriers);
	free(finder.nodes);
	return error;
}
