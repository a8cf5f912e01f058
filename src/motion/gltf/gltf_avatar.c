/* Writes a motion into the glTF file of a figure: an animation beside everything that the file
 * holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_edit.h"
#include "gltf_images.h"
#include "gltf_keys.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast/write.h"

#define EXTENSION "EXT_skeleton_humanoid"

struct avatar {
	const struct jc_avatar_clip *clip;
	const struct jc_gltf *gltf;
	struct jc_gltf_edit edit;
	struct jc_gltf_keys keys;
	int times;                   /* accessor */
	json_t *samplers, *channels; /* of the animation; borrowed from the document */
};

/* The number n of a name "wanted n", at most `most`; 1 for the wanted name, 0 for others. */
static size_t number_of(const char *name, const char *wanted, size_t most)
{
	size_t length = strlen(wanted);
	char number[24];
	unsigned long n;

	if (!name || strncmp(name, wanted, length) != 0) {
		return 0;
	}
	if (name[length] == '\0') {
		return 1;
	}
	n = name[length] == ' ' ? strtoul(name + length + 1, NULL, 10) : 0;
	snprintf(number, sizeof(number), " %lu", n);
	return n >= 2 && n <= most && strcmp(name + length, number) == 0 ? n : 0;
}

/* A name that no animation of the file has: programs select animations by it. */
static json_t *make_name(const struct avatar *avatar, const json_t *animations)
{
	const char *name = jc_motion_info(avatar->clip->motion)->name;
	const char *wanted = name[0] ? name : "motion";
	size_t most = json_array_size(animations) + 1;
	bool *is_taken = calloc(most + 1, sizeof(*is_taken));
	size_t number = 1;

	if (!is_taken) {
		return NULL;
	}
	for (size_t i = 0; i + 1 < most; i++) {
		is_taken[number_of(
			json_string_value(json_object_get(json_array_get(animations, i), "name")),
			wanted, most)] = true;
	}
	while (is_taken[number]) {
		number++;
	}
	free(is_taken);
	return number == 1 ? json_string(wanted) : json_sprintf("%s %zu", wanted, number);
}

static int add_bone_keys(struct jc_gltf_keys *keys, const struct jc_skeleton *skeleton)
{
	int hips = jc_skeleton_bone_node(skeleton, JC_BONE_HIPS);
	int error = hips < 0 ? JC_OK : jc_gltf_keys_add(keys, hips, JC_GLTF_TRANSLATION);

	for (int b = 0; b < JC_BONE_COUNT && !error; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		if (node >= 0) {
			error = jc_gltf_keys_add(keys, node, JC_GLTF_ROTATION);
		}
	}
	return error;
}

static int add_target_keys(struct jc_gltf_keys *keys, const json_t *target)
{
	const json_t *node = json_object_get(target, "node");
	const char *name = json_string_value(json_object_get(target, "path"));
	json_int_t index = json_is_integer(node) ? json_integer_value(node) : -1;

	for (int p = 0; p < JC_GLTF_PATHS && name; p++) {
		enum jc_gltf_path path = (enum jc_gltf_path)p;

		if (index >= 0 && (size_t)index < keys->node_count &&
			strcmp(jc_gltf_path_name(path), name) == 0) {
			return jc_gltf_keys_add(keys, (int)index, path);
		}
	}
	return JC_OK;
}

/* Gives keys to what the other animations of the file move: a program that changes from one
 * animation to another leaves properties without keys as they are. */
static int add_other_keys(struct jc_gltf_keys *keys, const json_t *animations)
{
	json_t *animation, *channel;
	size_t i, c;

	json_array_foreach(animations, i, animation)
	{
		json_array_foreach(json_object_get(animation, "channels"), c, channel)
		{
			int error = add_target_keys(keys, json_object_get(channel, "target"));

			if (error) {
				return error;
			}
		}
	}
	return JC_OK;
}

static int collect(struct avatar *avatar)
{
	const struct jc_avatar_clip *clip = avatar->clip;
	int error = jc_gltf_keys_init(&avatar->keys, avatar->gltf, clip->frame_count);

	if (!error) {
		error = add_bone_keys(&avatar->keys, clip->skeleton);
	}
	if (!error) {
		error = add_other_keys(
			&avatar->keys, json_object_get(jc_gltf_json(avatar->gltf), "animations"));
	}
	for (size_t i = 0; i < clip->frame_count && !error; i++) {
		error = jc_gltf_keys_store(&avatar->keys, i, clip->pose(clip->context, i));
	}
	if (!error) {
		jc_gltf_keys_smooth(&avatar->keys);
	}
	return error;
}

/* Adds a sampler and a channel; steals the target. */
static void add_channel(
	struct avatar *avatar, json_t *target, enum jc_gltf_path path, const float *values)
{
	struct jc_gltf_edit *edit = &avatar->edit;
	size_t width = jc_gltf_path_width(path);
	int output = jc_gltf_edit_add(edit, (struct jc_gltf_floats){
						    .type = width == 4 ? "VEC4" : "VEC3",
						    .components = width,
						    .count = avatar->clip->frame_count,
						    .values = values,
					    });

	jc_gltf_edit_set(edit, target, "path", json_string(jc_gltf_path_name(path)));
	jc_gltf_edit_append(edit, avatar->channels,
		json_pack("{s:I,s:o}", "sampler", (json_int_t)json_array_size(avatar->samplers),
			"target", target));
	jc_gltf_edit_append(edit, avatar->samplers,
		json_pack("{s:i,s:i}", "input", avatar->times, "output", output));
}

/* A node with a matrix must not be animated (glTF 2.0, 5.25). */
static void replace_matrix(struct avatar *avatar, size_t node)
{
	const struct jc_transform *t = &jc_gltf_nodes(avatar->gltf)[node].local;
	json_t *json = json_array_get(json_object_get(avatar->edit.root, "nodes"), node);

	if (!json_object_get(json, "matrix")) {
		return;
	}
	json_object_del(json, "matrix");
	for (int p = 0; p < JC_GLTF_PATHS; p++) {
		enum jc_gltf_path path = (enum jc_gltf_path)p;
		float values[4];

		jc_gltf_path_values(t, path, values);
		jc_gltf_edit_set(&avatar->edit, json, jc_gltf_path_name(path),
			jc_gltf_edit_numbers(values, jc_gltf_path_width(path)));
	}
}

static void add_nodes(struct avatar *avatar)
{
	for (size_t i = 0; i < avatar->keys.node_count; i++) {
		for (int p = 0; p < JC_GLTF_PATHS; p++) {
			enum jc_gltf_path path = (enum jc_gltf_path)p;
			const float *values = jc_gltf_keys_of(&avatar->keys, (int)i, path);

			if (values) {
				add_channel(avatar, json_pack("{s:I}", "node", (json_int_t)i), path,
					values);
				replace_matrix(avatar, i);
			}
		}
	}
}

static float divide(float value, float by)
{
	return by == 0.0f ? 0.0f : value / by;
}

/* Changes values of a node to values relative to its rest: local = rest * compose(T, R, S). */
static void make_relative(
	const struct jc_transform *rest, enum jc_gltf_path path, float *values, size_t count)
{
	struct jc_quat back = jc_quat_conjugate(rest->rotation);

	for (size_t i = 0; i < count; i++) {
		struct jc_transform t = JC_TRANSFORM_IDENTITY;
		float *value = values + i * jc_gltf_path_width(path);

		jc_gltf_track_apply(&t, path, value);
		t.rotation = jc_quat_multiply(back, t.rotation);
		t.translation =
			jc_quat_rotate(back, jc_vec3_subtract(t.translation, rest->translation));
		t.translation.x = divide(t.translation.x, rest->scale.x);
		t.translation.y = divide(t.translation.y, rest->scale.y);
		t.translation.z = divide(t.translation.z, rest->scale.z);
		jc_gltf_path_values(&t, path, value);
	}
}

/* Adds channels by bone name, on samplers of their own (EXT_skeleton_humanoid, "Animation
 * definition"). */
static void add_bones(struct avatar *avatar)
{
	const struct jc_skeleton *skeleton = avatar->clip->skeleton;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		for (int p = 0; p < JC_GLTF_PATHS && node >= 0; p++) {
			enum jc_gltf_path path = (enum jc_gltf_path)p;
			float *values = jc_gltf_keys_of(&avatar->keys, node, path);

			if (!values || (path != JC_GLTF_ROTATION && b != JC_BONE_HIPS) ||
				path == JC_GLTF_SCALE) {
				continue;
			}
			make_relative(&jc_skeleton_nodes(skeleton)[node].rest, path, values,
				avatar->clip->frame_count);
			add_channel(avatar,
				json_pack("{s:{s:{s:s}}}", "extensions", EXTENSION,
					"humanoidBoneName", jc_bone_name((enum jc_bone)b)),
				path, values);
		}
	}
}

static void add_times(struct avatar *avatar)
{
	size_t count = avatar->clip->frame_count;
	float *times = calloc(count, sizeof(*times));

	for (size_t i = 0; times && i < count; i++) {
		times[i] = (float)((double)i * avatar->clip->frame_seconds);
	}
	if (times) {
		avatar->times =
			jc_gltf_edit_add(&avatar->edit, (struct jc_gltf_floats){ .type = "SCALAR",
								.components = 1,
								.count = count,
								.values = times,
								.has_bounds = true });
	} else {
		avatar->edit.error = JC_ERROR_MEMORY;
	}
	free(times);
}

static void add_animation(struct avatar *avatar, bool by_name)
{
	struct jc_gltf_edit *edit = &avatar->edit;
	json_t *animations = jc_gltf_edit_array(edit, "animations");
	json_t *name = make_name(avatar, animations);
	json_t *animation;

	jc_gltf_edit_append(edit, animations, json_object());
	animation = json_array_get(animations, json_array_size(animations) - 1);
	jc_gltf_edit_set(edit, animation, "name", name);
	jc_gltf_edit_set(edit, animation, "samplers", json_array());
	jc_gltf_edit_set(edit, animation, "channels", json_array());
	avatar->samplers = json_object_get(animation, "samplers");
	avatar->channels = json_object_get(animation, "channels");
	add_times(avatar);
	add_nodes(avatar);
	if (by_name) {
		add_bones(avatar);
	}
}

static int check(const struct jc_avatar_clip *clip, const struct jc_gltf *gltf,
	struct jc_diagnostic *diagnostic)
{
	if (jc_skeleton_node_count(clip->skeleton) != jc_gltf_node_count(gltf)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the skeleton has %zu nodes and the glTF file %zu",
			jc_skeleton_node_count(clip->skeleton), jc_gltf_node_count(gltf));
	}
	if (clip->frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			clip->frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	return JC_OK;
}

static int fill(struct avatar *avatar, bool by_name, struct jc_diagnostic *diagnostic)
{
	int error = jc_gltf_edit_init(&avatar->edit, avatar->gltf);

	if (!error) {
		error = collect(avatar);
	}
	if (error == JC_ERROR_LIMIT) {
		return jc_diagnose(diagnostic, error, NULL, "too long: more than %u numbers",
			JC_LIMIT_MOTION_VALUES);
	}
	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	add_animation(avatar, by_name);
	return JC_OK;
}

int jc_write_avatar(const struct jc_avatar_clip *clip, const struct jc_gltf *gltf, bool by_name,
	const struct jc_gltf_resolver *resolver, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct avatar avatar = { .clip = clip, .gltf = gltf };
	size_t channels = jc_motion_channel_count(clip->motion);
	int error = check(clip, gltf, diagnostic);

	if (error) {
		return error;
	}
	error = fill(&avatar, by_name, diagnostic);
	if (!error) {
		jc_gltf_images_embed(&avatar.edit, resolver, lint);
		error = jc_gltf_edit_write(&avatar.edit, is_binary, out_file, diagnostic);
	}
	if (!error && channels > 0) {
		jc_lint_add(lint, JC_WARNING, "channels-lost",
			"%zu channel%s of expressions and gaze not kept", channels,
			channels == 1 ? "" : "s");
	}
	jc_gltf_keys_finish(&avatar.keys);
	jc_gltf_edit_finish(&avatar.edit);
	return error;
}
