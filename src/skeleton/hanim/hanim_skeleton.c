/* Assigns bones to the joints of one H-Anim figure and makes its skeleton. */
#include "hanim_skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "hanim_arms.h"
#include "hanim_bone_map.h"
#include "hanim_lint.h"
#include "hanim_names.h"
#include "hanim_recognition.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

static bool ends_with(const char *text, const char *end, size_t *out_prefix)
{
	size_t length = strlen(text);
	size_t wanted = strlen(end);

	if (wanted == 0 || length < wanted || strcasecmp(text + length - wanted, end) != 0) {
		return false;
	}
	*out_prefix = length - wanted;
	return true;
}

/* Finds the prefix of DEFs: if the DEF of a joint named l_hip is Fred_l_hip, all joints
 * of Fred begin with Fred_. Without names, uses the first joint if its DEF ends in the
 * name of a root. "" if there is no prefix. */
static void find_prefix(const struct jc_hanim *hanim, const char **out_text, size_t *out_length)
{
	static const char *const roots[] = { "HumanoidRoot", "humanoid_root", "sacroiliac" };
	struct jc_hanim_name known;

	*out_text = "";
	*out_length = 0;
	for (size_t i = 0; i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		if (jc_hanim_names_find(joint->name, &known) &&
			ends_with(joint->node->def, joint->name, out_length)) {
			*out_text = joint->node->def;
			return;
		}
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots) && hanim->joint_count > 0; i++) {
		if (ends_with(hanim->joints[0].node->def, roots[i], out_length)) {
			*out_text = hanim->joints[0].node->def;
			return;
		}
	}
}

/* Renames one of several joints with one name: a joint whose DEF is the unused name of
 * another joint gets that name. Authors make this error because routes use DEFs. */
static void rename_namesakes(struct jc_hanim *hanim, struct jc_hanim_name *names,
	const char *prefix, size_t length, struct jc_lint *lint)
{
	size_t counts[JC_HANIM_NAME_COUNT] = { 0 };

	for (size_t i = 0; i < hanim->joint_count; i++) {
		if (names[i].id >= 0) {
			counts[names[i].id]++;
		}
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		struct jc_hanim_joint *joint = &hanim->joints[i];
		const char *def = joint->node->def;
		struct jc_hanim_name other;

		if (names[i].id < 0 || counts[names[i].id] < 2 ||
			strncmp(def, prefix, length) != 0 ||
			!jc_hanim_names_find(def + length, &other) || counts[other.id] > 0) {
			continue;
		}
		jc_lint_add(lint, JC_WARNING, "hanim-duplicate",
			"line %u: a second joint is named '%s': renamed to its DEF, '%s'",
			joint->node->line, joint->name, def + length);
		counts[names[i].id]--;
		counts[other.id]++;
		joint->name = def + length;
		names[i] = other;
	}
}

/* Sets the name of every joint; returns the number of H-Anim names. */
static size_t name_joints(struct jc_hanim *hanim, struct jc_hanim_name *names, struct jc_lint *lint)
{
	size_t known = 0;
	const char *prefix;
	size_t length;

	find_prefix(hanim, &prefix, &length);
	for (size_t i = 0; i < hanim->joint_count; i++) {
		struct jc_hanim_joint *joint = &hanim->joints[i];
		const char *def = joint->node->def;

		names[i] = (struct jc_hanim_name){ -1, JC_BONE_NONE, JC_BONE_NONE, -1 };
		if (strncmp(def, prefix, length) == 0) {
			def += length;
		}
		joint->is_standard = jc_hanim_names_find(joint->name, &names[i]);
		if (!joint->is_standard && (jc_hanim_names_find(def, &names[i]) || !*joint->name)) {
			joint->is_standard = jc_hanim_names_find(def, &names[i]);
			joint->name = def;
		}
		known += joint->is_standard;
	}
	rename_namesakes(hanim, names, prefix, length, lint);
	for (size_t i = 0; i < hanim->joint_count; i++) {
		struct jc_hanim_joint *joint = &hanim->joints[i];

		joint->vertebra = names[i].vertebra;
		hanim->nodes[joint->skeleton_node].name = joint->name;
	}
	return known;
}

static void assign_bone(struct jc_hanim *hanim, struct jc_hanim_joint *joint, enum jc_bone bone)
{
	joint->bone = bone;
	hanim->bones[bone] = joint->skeleton_node;
}

/* Assigns bones to joints by name, then to joints that stand in for missing ones. */
static void assign_named_bones(
	struct jc_hanim *hanim, const struct jc_hanim_name *names, struct jc_lint *lint)
{
	for (size_t i = 0; i < hanim->joint_count; i++) {
		enum jc_bone bone = names[i].bone;

		if (bone == JC_BONE_NONE) {
			continue;
		}
		if (hanim->bones[bone] >= 0) {
			jc_lint_add(lint, JC_WARNING, "hanim-duplicate",
				"line %u: a second joint for %s, '%s': not used",
				hanim->joints[i].node->line, jc_bone_name(bone),
				hanim->joints[i].name);
			continue;
		}
		assign_bone(hanim, &hanim->joints[i], bone);
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		enum jc_bone bone = names[i].stand_in;

		if (bone != JC_BONE_NONE && hanim->bones[bone] < 0) {
			assign_bone(hanim, &hanim->joints[i], bone);
		}
	}
}

/* Vertebrae by preference, ended by -1; see jc_hanim_read(). */
static const struct {
	enum jc_bone bone;
	signed char vertebrae[JC_HANIM_VERTEBRA_COUNT];
} anchors[] = {
	{ JC_BONE_SPINE, { 0, 1, 2, 3, -1 } },
	{ JC_BONE_CHEST, { 4, 5, 6, 7, 8, 9, 10, -1 } },
	{ JC_BONE_UPPER_CHEST, { 11, 12, 13, 14, 15, 16, 10, 9, 8, 7, 6, 5, -1 } },
	{ JC_BONE_NECK, { 17, 18, 19, 20, 21, 22, 23, -1 } },
};

static void assign_spine_bones(struct jc_hanim *hanim)
{
	struct jc_hanim_joint *vertebrae[JC_HANIM_VERTEBRA_COUNT] = { NULL };
	int below = -1; /* the vertebra of the previous bone */

	for (size_t i = hanim->joint_count; i-- > 0;) {
		if (hanim->joints[i].vertebra >= 0) {
			vertebrae[hanim->joints[i].vertebra] = &hanim->joints[i];
		}
	}
	for (size_t i = 0; i < sizeof(anchors) / sizeof(*anchors); i++) {
		for (const signed char *v = anchors[i].vertebrae; *v >= 0; v++) {
			bool is_neck = anchors[i].bone == JC_BONE_NECK;

			/* Shoulders may branch off from a vertebra of the neck. */
			if (vertebrae[*v] && *v > below &&
				!(is_neck && jc_hanim_arms_are_below(hanim, vertebrae[*v]))) {
				assign_bone(hanim, vertebrae[*v], anchors[i].bone);
				below = *v;
				break;
			}
		}
	}
}

/* A figure without HumanoidRoot may have one joint above all others. */
static void assign_hips(struct jc_hanim *hanim, struct jc_lint *lint)
{
	struct jc_hanim_joint *top = NULL;

	if (hanim->bones[JC_BONE_HIPS] >= 0) {
		return;
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		if (hanim->joints[i].parent < 0) {
			if (top) {
				return;
			}
			top = &hanim->joints[i];
		}
	}
	if (top && top->bone == JC_BONE_NONE && top->vertebra < 0) {
		assign_bone(hanim, top, JC_BONE_HIPS);
		jc_lint_add(lint, JC_WARNING, "hanim-root",
			"no joint is named HumanoidRoot: the top one, '%s', is the hips",
			top->name);
	}
}

static void lint_names(const struct jc_hanim *hanim, size_t known, struct jc_lint *lint)
{
	if (known < hanim->joint_count) {
		jc_lint_add(lint, JC_NOTE, "hanim-extra",
			"%zu joints have names that are not H-Anim's: not used",
			hanim->joint_count - known);
	}
}

static int assign_bones(struct jc_hanim *hanim, const struct jc_bone_map *map, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_hanim_name *names = calloc(hanim->joint_count + 1, sizeof(*names));
	int error = JC_OK;
	bool is_foreign;
	size_t known;

	if (!names) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (map) {
		error = jc_hanim_bone_map_apply(hanim, map, diagnostic);
	}
	known = name_joints(hanim, names, lint);
	is_foreign = known < 2 && !map && jc_hanim_recognition_apply(hanim, lint) == JC_OK;
	if (known > 0 && !map && !is_foreign) {
		assign_named_bones(hanim, names, lint);
		jc_hanim_arms_free_head(hanim, lint);
		assign_spine_bones(hanim);
		assign_hips(hanim, lint);
		lint_names(hanim, known, lint);
		jc_hanim_arms_lint(hanim, lint);
	}
	free(names);
	if (error) {
		return error;
	}
	if (hanim->joint_count == 0) {
		return jc_diagnose(
			diagnostic, JC_ERROR_NO_HUMANOID, NULL, "the humanoid has no joints");
	}
	if (known == 0 && !map && !is_foreign) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"none of the %zu joints has a name of H-Anim: the first is '%s'",
			hanim->joint_count, hanim->joints[0].name);
	}
	return JC_OK;
}

/* The field of either name, else the entry in info, else "". */
static const char *find_version(
	const struct jc_scene_node *humanoid, const struct jc_scene_field *info)
{
	static const char tag[] = "humanoidVersion=";
	const char *version = jc_scene_string(humanoid, "version", "");

	if (!*version) {
		version = jc_scene_string(humanoid, "humanoidVersion", "");
	}
	for (size_t i = 0; !*version && info && i < info->string_count; i++) {
		if (strncmp(info->strings[i], tag, sizeof(tag) - 1) == 0) {
			version = info->strings[i] + sizeof(tag) - 1;
		}
	}
	return version;
}

static void describe(struct jc_hanim *hanim, const struct jc_scene_node *humanoid)
{
	const struct jc_scene_field *info;

	hanim->name = "";
	hanim->version = "";
	if (!humanoid) {
		return;
	}
	hanim->name = jc_scene_string(humanoid, "name", humanoid->def);
	info = jc_scene_field(humanoid, "info");
	hanim->version = find_version(humanoid, info);
	if (info) {
		hanim->info_count = info->string_count;
		hanim->info = info->strings;
	}
}

static int list_limits(
	struct jc_hanim *hanim, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	const struct jc_vec3 zero = { 0.0f, 0.0f, 0.0f };
	size_t dropped = 0;

	hanim->limits = calloc(hanim->joint_count, sizeof(*hanim->limits));
	if (!hanim->limits) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		if (!joint->has_limits && !joint->has_stiffness) {
			continue;
		}
		if (hanim->limit_count >= JC_LIMIT_JOINT_LIMITS) {
			dropped++;
			continue;
		}
		hanim->limits[hanim->limit_count++] = (struct jc_joint_limit){
			.node = joint->skeleton_node,
			.lower = joint->has_limits ? joint->lower_limit : zero,
			.upper = joint->has_limits ? joint->upper_limit : zero,
			.orientation = joint->limit_orientation,
			.stiffness = joint->stiffness,
			.is_unlimited = !joint->has_limits,
		};
	}
	if (dropped > 0) {
		jc_lint_add(lint, JC_WARNING, "hanim-limits",
			"limits of %zu joints past the first %u are left out", dropped,
			JC_LIMIT_JOINT_LIMITS);
	}
	return JC_OK;
}

static void note_prototype(const struct jc_scene_proto *proto, struct jc_lint *lint)
{
	if (proto) {
		jc_lint_add(lint, JC_WARNING, "hanim-proto",
			"line %u: the figure in PROTO '%s' is read once: fields that its instances "
			"set are not applied",
			proto->interface->line, proto->name);
	}
}

int jc_hanim_read_mapped(const struct jc_scene *scene, size_t index, const struct jc_bone_map *map,
	struct jc_hanim **out_hanim, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_hanim *hanim = calloc(1, sizeof(*hanim));
	struct jc_hanim_scene_place place = { 0 };
	int error;

	if (!hanim) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		hanim->bones[b] = -1;
	}
	error = jc_hanim_scene_find(scene, index, &place, diagnostic);
	if (!error) {
		hanim->humanoid_count = place.humanoid_count;
		note_prototype(place.proto, lint);
		describe(hanim, place.humanoid);
		error = jc_hanim_collect(hanim, scene, &place, lint, diagnostic);
	}
	if (!error) {
		error = assign_bones(hanim, map, lint, diagnostic);
	}
	if (!error) {
		error = list_limits(hanim, lint, diagnostic);
	}
	jc_hanim_scene_place_finish(&place);
	if (!error) {
		jc_hanim_rest_correct(hanim, lint);
		error = jc_hanim_lint(hanim, scene, lint);
		if (error) {
			jc_diagnose(diagnostic, error, NULL, "out of memory");
		}
	}
	if (error) {
		jc_hanim_destroy(hanim);
		return error;
	}
	*out_hanim = hanim;
	return JC_OK;
}

int jc_hanim_read(const struct jc_scene *scene, size_t index, struct jc_hanim **out_hanim,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return jc_hanim_read_mapped(scene, index, NULL, out_hanim, lint, diagnostic);
}

void jc_hanim_destroy(struct jc_hanim *hanim)
{
	if (hanim) {
		free(hanim->joints);
		free(hanim->segments);
		free(hanim->nodes);
		free(hanim->virtual_transforms);
		free(hanim->limits);
		free(hanim);
	}
}

static void describe_facts(const struct jc_hanim *hanim, struct jc_skeleton_facts *facts)
{
	facts->version = hanim->version;
	/* The sum of finite numbers can overflow. */
	facts->mass = isfinite(hanim->mass) ? hanim->mass : 0.0;
	facts->info_count = hanim->info_count < JC_LIMIT_FACTS ? hanim->info_count : JC_LIMIT_FACTS;
	facts->info = hanim->info;
	facts->info_dropped = hanim->info_count - facts->info_count;
}

void jc_hanim_describe(
	const struct jc_hanim *hanim, struct jc_skeleton_description *out_description)
{
	struct jc_quat back = jc_quat_conjugate(hanim->facing);

	jc_skeleton_description_init(out_description);
	out_description->format = JC_SKELETON_HANIM;
	out_description->name = hanim->name;
	out_description->node_count = hanim->node_count;
	out_description->nodes = hanim->nodes;
	out_description->facing = hanim->facing;
	out_description->virtual_transform_count = hanim->virtual_transform_count;
	out_description->virtual_transforms = hanim->virtual_transforms;
	out_description->limit_count = hanim->limit_count;
	out_description->limits = hanim->limits;
	out_description->segment_count = hanim->segment_count;
	out_description->segments = hanim->segments;
	describe_facts(hanim, &out_description->facts);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_description->bones[b] = hanim->bones[b];
		if (hanim->bones[b] >= 0) {
			out_description->corrections[b] = jc_quat_multiply(
				hanim->facing, jc_quat_multiply(hanim->corrections[b], back));
		}
	}
}

int jc_hanim_skeleton(const struct jc_hanim *hanim, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;

	jc_hanim_describe(hanim, &description);
	return jc_skeleton_create(&description, out_skeleton, diagnostic);
}

int jc_hanim_skeleton_read(const struct jc_scene *scene, size_t index,
	const struct jc_bone_map *map, struct jc_skeleton **out_skeleton, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_hanim *hanim;
	int error = jc_hanim_read_mapped(scene, index, map, &hanim, lint, diagnostic);

	if (!error) {
		error = jc_hanim_skeleton(hanim, out_skeleton, diagnostic);
		jc_hanim_destroy(hanim);
	}
	return error;
}
