/* Samples H-Anim motions. A joint without a track keeps the values of its fields in the
 * file. */
#include "hanim_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bone_chains.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

/* Number of times at which the height of the feet is measured. */
enum { GAP_SAMPLES = 200 };

struct hanim_motion {
	struct jc_motion motion;
	struct jc_skeleton *skeleton; /* owned: bones and their ancestors */
	/* By node of the skeleton, owned: rotation and translation of a joint without a
	 * track. */
	struct jc_transform *fields;
	int *nodes; /* owned, by track: node of the skeleton */
	struct jc_hanim_tracks tracks;
	char *strings; /* owned: name, family */
};

static void destroy(struct jc_motion *motion)
{
	struct hanim_motion *self = (struct hanim_motion *)motion;

	jc_hanim_tracks_finish(&self->tracks);
	jc_skeleton_destroy(self->skeleton);
	free(self->fields);
	free(self->nodes);
	free(self->strings);
	free(self);
}

/* The node is at the center of the joint, so of T(translation) T(center) R T(-center)
 * only the translation and R are added to its rest. */
static void pose_nodes(const struct hanim_motion *self, double t, struct jc_transform *locals)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(self->skeleton);
	size_t count = jc_skeleton_node_count(self->skeleton);
	double duration = self->motion.info.duration;

	memcpy(locals, self->fields, count * sizeof(*locals));
	for (size_t i = 0; i < self->tracks.count; i++) {
		jc_hanim_track_sample(&self->tracks.items[i], duration > 0.0 ? t / duration : 0.0,
			&locals[self->nodes[i]]);
	}
	for (size_t i = 0; i < count; i++) {
		const struct jc_transform *rest = &nodes[i].rest;

		locals[i].translation = jc_vec3_add(rest->translation,
			jc_quat_rotate(rest->rotation,
				jc_vec3_multiply(rest->scale, locals[i].translation)));
		locals[i].rotation = jc_quat_multiply(rest->rotation, locals[i].rotation);
		locals[i].scale = rest->scale;
	}
}

static void pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct hanim_motion *self = (const struct hanim_motion *)motion;
	struct jc_transform locals[JC_LIMIT_MOTION_NODES];

	pose_nodes(self, t, locals);
	jc_skeleton_normalize(self->skeleton, locals, out_pose);
}

static const struct jc_motion_ops hanim_ops = { .destroy = destroy, .pose = pose };

static double clamp(double value, double limit)
{
	return fmin(fmax(value, -limit), limit);
}

/* Initial values of the fields of a joint. */
static struct jc_transform read_fields(const struct jc_scene_node *joint)
{
	const double far = (double)JC_LIMIT_COORDINATE;
	struct jc_transform fields = JC_TRANSFORM_IDENTITY;
	double v[4];

	if (jc_scene_numbers(joint, "translation", 3, v)) {
		fields.translation = (struct jc_vec3){ (float)clamp(v[0], far),
			(float)clamp(v[1], far), (float)clamp(v[2], far) };
	}
	if (jc_scene_numbers(joint, "rotation", 4, v)) {
		fields.rotation = jc_hanim_track_axis_angle(v);
	}
	return fields;
}

/* Removes tracks of joints that carry no bone, such as a tail. */
static int keep_tracks(struct hanim_motion *self, const struct jc_hanim *hanim, const int *places,
	struct jc_diagnostic *diagnostic)
{
	struct jc_hanim_tracks *tracks = &self->tracks;
	size_t kept = 0;

	self->nodes = calloc(tracks->count + 1, sizeof(*self->nodes));
	if (!self->nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < tracks->count; i++) {
		int node = places[hanim->joints[tracks->items[i].joint].skeleton_node];

		if (node < 0) {
			jc_hanim_track_finish(&tracks->items[i]);
			continue;
		}
		self->nodes[kept] = node;
		tracks->items[kept++] = tracks->items[i];
	}
	tracks->count = kept;
	if (kept == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: the motion moves no bone");
	}
	return JC_OK;
}

static int make_skeleton(
	struct hanim_motion *self, const struct jc_hanim *hanim, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_description description;
	int *places = calloc(hanim->node_count + 1, sizeof(*places));
	int error;

	self->fields = calloc(JC_LIMIT_MOTION_NODES, sizeof(*self->fields));
	if (!places || !self->fields) {
		free(places);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_hanim_describe(hanim, &description);
	error = jc_bone_chains_create(&description, places, &self->skeleton, diagnostic);
	if (!error) {
		for (size_t i = 0; i < jc_skeleton_node_count(self->skeleton); i++) {
			self->fields[i] = JC_TRANSFORM_IDENTITY;
		}
		for (size_t i = 0; i < hanim->joint_count; i++) {
			int node = places[hanim->joints[i].skeleton_node];

			if (node >= 0) {
				self->fields[node] = read_fields(hanim->joints[i].node);
			}
		}
		error = keep_tracks(self, hanim, places, diagnostic);
	}
	free(places);
	return error;
}

/* Keys for each second of the densest track. */
static double find_density(const struct jc_hanim_tracks *tracks)
{
	double densest = 0.0;

	for (size_t i = 0; i < tracks->count; i++) {
		const struct jc_hanim_track *track = &tracks->items[i];
		double span = (double)track->keys[track->key_count - 1] - (double)track->keys[0];

		if (span > 0.0) {
			densest = fmax(densest,
				(double)(track->key_count - 1) / (span * tracks->duration));
		}
	}
	return densest;
}

static int fill_info(struct hanim_motion *self, const struct jc_scene *scene,
	const struct jc_hanim *hanim, const char *name, struct jc_diagnostic *diagnostic)
{
	size_t name_bytes = strlen(name) + 1;
	struct jc_motion_info *info = &self->motion.info;

	self->strings = malloc(name_bytes + strlen(hanim->version) + 1);
	if (!self->strings) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	memcpy(self->strings, name, name_bytes);
	strcpy(self->strings + name_bytes, hanim->version);
	*info = (struct jc_motion_info){
		.kind = JC_MOTION_POSES,
		.format = "h-anim",
		.confidence = 1.0f,
		.name = self->strings,
		.family = self->strings + name_bytes,
		.duration = self->tracks.duration,
		.hips_height = jc_skeleton_hips_height(self->skeleton),
		.metres_per_unit = (float)scene->metres_per_unit,
		.bone_mask = jc_skeleton_bone_mask(self->skeleton),
	};
	self->motion.skeleton = self->skeleton;
	jc_motion_count_frames(info, find_density(&self->tracks));
	return JC_OK;
}

static bool are_places(const struct jc_hanim_track *track, struct jc_vec3 center)
{
	float lowest = INFINITY;

	for (size_t i = 0; i < track->key_count; i++) {
		lowest = fminf(lowest, track->translations[i].y);
	}
	return lowest > 0.5f * center.y && lowest < 1.5f * center.y;
}

/* Converts root positions to translations; see hanim_motion.h. True if there were any. */
static bool find_ways(
	struct jc_hanim_tracks *tracks, const struct jc_hanim *hanim, struct jc_lint *lint)
{
	for (size_t i = 0; i < tracks->count; i++) {
		struct jc_hanim_track *track = &tracks->items[i];
		const struct jc_hanim_joint *joint = &hanim->joints[track->joint];

		if (track->path != JC_HANIM_TRANSLATION || joint->bone != JC_BONE_HIPS ||
			!are_places(track, joint->center)) {
			continue;
		}
		for (size_t key = 0; key < track->key_count; key++) {
			track->translations[key] =
				jc_vec3_subtract(track->translations[key], joint->center);
		}
		jc_lint_add(lint, JC_WARNING, "hanim-places",
			"the translations of '%s' are as high as its center; taken as positions, "
			"not relative to it",
			joint->name);
		return true;
	}
	return false;
}

static float height_over_rest(
	const struct hanim_motion *self, const struct jc_mat4 *worlds, enum jc_bone bone)
{
	struct jc_quat to_canonical = jc_quat_conjugate(jc_skeleton_facing(self->skeleton));
	int node = jc_skeleton_bone_node(self->skeleton, bone);

	return node < 0 ? INFINITY
			: jc_quat_rotate(to_canonical,
				  jc_vec3_subtract(jc_mat4_translation(worlds[node]),
					  jc_mat4_translation(
						  jc_skeleton_rest_worlds(self->skeleton)[node])))
				  .y;
}

static int compare_floats(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;

	return (a > b) - (a < b);
}

/* Height of the lower foot above its rest when it is low: its lower quartile, so that a
 * stumble has no effect. 0 if there are no feet or memory is short. */
static float find_gap(const struct hanim_motion *self)
{
	double duration = self->motion.info.duration;
	struct jc_transform locals[JC_LIMIT_MOTION_NODES];
	struct jc_mat4 *worlds = calloc(JC_LIMIT_MOTION_NODES, sizeof(*worlds));
	float gaps[GAP_SAMPLES] = { 0.0f };
	float gap;

	for (int i = 0; worlds && i < GAP_SAMPLES; i++) {
		pose_nodes(self, duration * i / (GAP_SAMPLES - 1), locals);
		jc_skeleton_worlds(self->skeleton, locals, worlds);
		gaps[i] = fminf(height_over_rest(self, worlds, JC_BONE_LEFT_FOOT),
			height_over_rest(self, worlds, JC_BONE_RIGHT_FOOT));
	}
	free(worlds);
	qsort(gaps, GAP_SAMPLES, sizeof(*gaps), compare_floats);
	gap = gaps[GAP_SAMPLES / 4];
	return isfinite(gap) ? gap : 0.0f;
}

static void set_on_ground(struct hanim_motion *self)
{
	int hips = jc_skeleton_bone_node(self->skeleton, JC_BONE_HIPS);
	int parent = jc_skeleton_nodes(self->skeleton)[hips].parent;
	float gap = find_gap(self);
	struct jc_transform frame;

	if (parent < 0 ||
		!jc_mat4_decompose(jc_skeleton_rest_worlds(self->skeleton)[parent], &frame, NULL)) {
		return;
	}
	for (size_t i = 0; i < self->tracks.count; i++) {
		struct jc_hanim_track *track = &self->tracks.items[i];

		for (size_t key = 0;
			self->nodes[i] == hips && track->translations && key < track->key_count;
			key++) {
			track->translations[key].y -= gap / frame.scale.y;
		}
	}
}

int jc_hanim_motion_create(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const char *name, struct jc_hanim_tracks *tracks, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct hanim_motion *self = calloc(1, sizeof(*self));
	bool had_places;
	int error;

	if (!self) {
		jc_hanim_tracks_finish(tracks);
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	self->motion.ops = &hanim_ops;
	had_places = find_ways(tracks, hanim, lint);
	self->tracks = *tracks;
	error = make_skeleton(self, hanim, diagnostic);
	if (!error) {
		error = fill_info(self, scene, hanim, name, diagnostic);
	}
	if (error) {
		destroy(&self->motion);
		return error;
	}
	if (had_places) {
		set_on_ground(self);
	}
	*out_motion = &self->motion;
	return JC_OK;
}
