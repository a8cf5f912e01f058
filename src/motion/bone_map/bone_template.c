/* Writes bone maps for people: bones in the order of the hierarchy, then what has no counterpart.
 */
#include "jointcast_private/bone_template.h"

#include <stdlib.h>
#include <string.h>

#include "file_buffer.h"
#include "gltf/vrma.h"
#include "joint_list.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/hierarchy.h"
#include "jointcast_private/recognition.h"
#include "jointcast_private/text.h"

struct template
{
	const struct jc_joint_list *list;
	int bones[JC_BONE_COUNT]; /* joint or -1 */
	struct jc_file_buffer text;
};

static void copy_bones(struct template *template, const struct jc_skeleton *skeleton)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		template->bones[b] = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);
	}
}

/* The bones that names show, which are too few for a humanoid. */
static int guess_bones(struct template *template)
{
	const struct jc_named_joints *joints = &template->list->joints;
	struct jc_joint_tree tree = { .count = joints->count, .joint_count = joints->count };
	int *order = calloc(joints->count + 1, sizeof(*order));
	int *places = calloc(joints->count + 1, sizeof(*places));
	int *parents = calloc(joints->count + 1, sizeof(*parents));
	const char **names = calloc(joints->count + 1, sizeof(*names));
	struct jc_recognition recognition;
	int error = order && places && parents && names ? JC_OK : JC_ERROR_MEMORY;

	error = error ? error
		      : jc_hierarchy_order(joints->parents, joints->count, "joints", order, NULL);
	for (size_t i = 0; !error && i < joints->count; i++) {
		int joint = order[i];

		places[joint] = (int)i;
		names[i] = joints->names[joint];
		parents[i] = joints->parents[joint] < 0 ? -1 : places[joints->parents[joint]];
	}
	tree.names = names;
	tree.parents = parents;
	if (!error && jc_recognize_names(&tree, &recognition, NULL) != JC_ERROR_MEMORY) {
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			int place = recognition.bones[b];

			template->bones[b] = place < 0 ? -1 : order[place];
		}
	}
	free(names);
	free(parents);
	free(places);
	free(order);
	return error;
}

/* Sets the bones as the readers find them. */
static int find_bones(struct template *template, const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_joint_list *list = template->list;
	struct jc_skeleton *skeleton = NULL;
	struct jc_motion *motion = NULL;
	int error;

	if (map) {
		return jc_bone_map_match(map, &list->joints, template->bones, diagnostic);
	}
	if (list->gltf && jc_vrma_is_animation(list->gltf)) {
		return jc_vrma_bones(list->gltf, template->bones, diagnostic);
	}
	error = list->bvh ? jc_motion_read(bytes, length, index, NULL, &motion, NULL, diagnostic)
			  : jc_skeleton_read(
				    bytes, length, index, resolver, &skeleton, NULL, diagnostic);
	if (error == JC_ERROR_NO_HUMANOID) {
		return guess_bones(template);
	}
	if (!error) {
		copy_bones(template, motion ? jc_motion_skeleton(motion) : skeleton);
	}
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	return error;
}

static bool is_unique(const struct template *template, int joint)
{
	const struct jc_named_joints *joints = &template->list->joints;

	for (size_t i = 0; i < joints->count; i++) {
		if ((int)i != joint && strcmp(joints->names[i], joints->names[joint]) == 0) {
			return false;
		}
	}
	return true;
}

static void write_line(struct template *template, const char *bone, int joint)
{
	const char *name = template->list->names[joint];

	if (jc_bone_map_can_write(name) && is_unique(template, joint)) {
		jc_file_buffer_text(&template->text, "%s = %s\n", bone, name);
	} else {
		jc_file_buffer_text(&template->text, "%s = #%d\n", bone, joint);
	}
}

/* Vertebrae that are no bones. Their joints then count as used. */
static void write_vertebrae(struct template *template)
{
	const struct jc_hanim *hanim = template->list->hanim;
	bool is_written[JC_HANIM_VERTEBRA_COUNT] = { false };

	for (size_t i = 0; hanim && i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];
		bool has_bone = false;

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			has_bone = has_bone || template->bones[b] == joint->skeleton_node;
		}
		if (joint->vertebra >= 0 && !has_bone && !is_written[joint->vertebra]) {
			is_written[joint->vertebra] = true;
			write_line(template, joint->name, joint->skeleton_node);
			template->list->is_joint[joint->skeleton_node] = false;
		}
	}
}

static void write_bones(struct template *template)
{
	struct jc_file_buffer *text = &template->text;
	size_t missing = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		missing += template->bones[b] < 0;
		if (template->bones[b] >= 0) {
			write_line(template, jc_bone_name((enum jc_bone)b), template->bones[b]);
		}
	}
	write_vertebrae(template);
	if (missing > 0) {
		jc_file_buffer_text(text, "\n# Bones without a joint:\n");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (template->bones[b] < 0) {
			jc_file_buffer_text(text, "#   %s =\n", jc_bone_name((enum jc_bone)b));
		}
	}
}

/* Writes the joint without a bone as a comment, indented by its depth. */
static void write_joint(struct template *template, int joint, size_t depth)
{
	char name[4 * JC_LIMIT_NAME_BYTES];

	jc_text_escape(template->list->names[joint], name, sizeof(name));
	jc_file_buffer_text(&template->text, "#   %*s%s%s#%d\n", (int)(2 * depth), "", name,
		*name ? " " : "", joint);
}

/* Writes the joints in the order of a walk through the hierarchy: the children of a joint as a
 * list from `first` over `next`. */
static void walk_joints(
	struct template *template, const bool *has_bone, const int *first, const int *next)
{
	const struct jc_joint_list *list = template->list;
	size_t count = list->joints.count;
	int joint = first[count];
	size_t depth = 0;
	bool has_begun = false;

	while (joint >= 0) {
		if (list->is_joint[joint] && !has_bone[joint]) {
			if (!has_begun) {
				jc_file_buffer_text(&template->text,
					"\n# Joints without a bone, indented by depth, with their "
					"numbers:\n");
			}
			has_begun = true;
			write_joint(template, joint, depth);
		}
		if (first[joint] >= 0) {
			joint = first[joint];
			depth++;
			continue;
		}
		while (joint >= 0 && next[joint] < 0) {
			joint = list->parents[joint];
			depth -= joint >= 0;
		}
		joint = joint >= 0 ? next[joint] : -1;
	}
}

static int write_joints(struct template *template)
{
	const struct jc_joint_list *list = template->list;
	size_t count = list->joints.count;
	int *first = malloc((count + 1) * sizeof(*first)); /* the last: of the roots */
	int *next = malloc((count + 1) * sizeof(*next));
	bool *has_bone = calloc(count + 1, sizeof(*has_bone));
	int error = first && next && has_bone ? JC_OK : JC_ERROR_MEMORY;

	for (size_t i = 0; !error && i <= count; i++) {
		first[i] = next[i] = -1;
	}
	for (size_t i = count; !error && i-- > 0;) {
		size_t parent = list->parents[i] < 0 ? count : (size_t)list->parents[i];

		next[i] = first[parent];
		first[parent] = (int)i;
	}
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		if (template->bones[b] >= 0) {
			has_bone[template->bones[b]] = true;
		}
	}
	if (!error) {
		walk_joints(template, has_bone, first, next);
	}
	free(has_bone);
	free(next);
	free(first);
	return error;
}

int jc_bone_template_write(const void *bytes, size_t length, size_t index,
	const struct jc_bone_map *map, const struct jc_gltf_resolver *resolver,
	struct jc_written *out_file, struct jc_diagnostic *diagnostic)
{
	struct jc_joint_list list;
	struct template template = { .list = &list };
	int error = jc_joint_list_read(bytes, length, index, map, resolver, &list, diagnostic);

	memset(template.bones, -1, sizeof(template.bones));
	if (!error) {
		error = find_bones(&template, bytes, length, index, map, resolver, diagnostic);
	}
	if (!error) {
		jc_file_buffer_text(&template.text,
			"# Bone map: BONE = JOINT. A line that begins with # has no effect.\n"
			"# JOINT is a name, or # and a number. Bones without a line do not "
			"move.\n\n");
		write_bones(&template);
		template.text.error =
			template.text.error ? template.text.error : write_joints(&template);
		error = jc_file_buffer_finish(&template.text, out_file, diagnostic);
	}
	jc_joint_list_finish(&list);
	return error;
}
