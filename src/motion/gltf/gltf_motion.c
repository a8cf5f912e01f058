/* Samples glTF motions: tracks set node transforms, and the skeleton converts these to a
 * pose. A track by bone name turns its node relative to the rest, a track by node sets
 * its value. A clip may hold the motion of a bone in both forms: the track by name counts. */
#include "gltf_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bone_chains.h"
#include "gltf_leftovers.h"
#include "gltf_node_tracks.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

struct mover {
	struct jc_gltf_track track;
	int node;         /* of the skeleton */
	bool is_relative; /* to the rest of the node; otherwise the track sets its value */
};

struct signal {
	struct jc_gltf_track track; /* key_count is 0 if no track moves the node */
	struct jc_transform initial;
	enum jc_gltf_path path;
};

struct gltf_motion {
	struct jc_motion motion;
	struct jc_skeleton *skeleton; /* owned */
	struct jc_transform *initial; /* owned, by node of the skeleton */
	double start;                 /* time in the file at which the motion begins */
	size_t mover_count;
	struct mover *movers;               /* owned, with their tracks */
	struct jc_gltf_node_tracks others;  /* nodes that are no bones */
	struct signal *signals;             /* owned, with their tracks; as many as channels */
	struct jc_motion_channel *channels; /* owned */
	char *strings;                      /* owned: names */
};

static void destroy(struct jc_motion *motion)
{
	struct gltf_motion *self = (struct gltf_motion *)motion;

	for (size_t i = 0; i < self->mover_count; i++) {
		jc_gltf_track_finish(&self->movers[i].track);
	}
	for (size_t i = 0; i < self->motion.channel_count; i++) {
		jc_gltf_track_finish(&self->signals[i].track);
	}
	jc_gltf_node_tracks_finish(&self->others);
	jc_skeleton_destroy(self->skeleton);
	free(self->initial);
	free(self->movers);
	free(self->signals);
	free(self->channels);
	free(self->strings);
	free(self);
}

/* animatedLocal = bindLocal * compose(T, R, S): EXT_skeleton_humanoid,
 * "Animation remapping". */
static void turn_path(struct jc_transform *local, const struct jc_transform *rest,
	enum jc_gltf_path path, const float *value)
{
	struct jc_transform by = JC_TRANSFORM_IDENTITY;

	jc_gltf_track_apply(&by, path, value);
	if (path == JC_GLTF_ROTATION) {
		local->rotation = jc_quat_multiply(rest->rotation, by.rotation);
	} else if (path == JC_GLTF_TRANSLATION) {
		local->translation = jc_vec3_add(
			rest->translation, jc_quat_rotate(rest->rotation,
						   jc_vec3_multiply(rest->scale, by.translation)));
	}
}

static void place(const struct gltf_motion *self, double t, struct jc_transform *out_locals)
{
	memcpy(out_locals, self->initial,
		jc_skeleton_node_count(self->skeleton) * sizeof(*out_locals));
	for (size_t i = 0; i < self->mover_count; i++) {
		const struct mover *mover = &self->movers[i];
		struct jc_transform *local = &out_locals[mover->node];
		float value[4];

		jc_gltf_track_sample(&mover->track, t + self->start, value);
		if (mover->is_relative) {
			turn_path(local, &self->initial[mover->node], mover->track.path, value);
		} else {
			jc_gltf_track_apply(local, mover->track.path, value);
		}
	}
}

static void pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct gltf_motion *self = (const struct gltf_motion *)motion;
	struct jc_transform locals[JC_LIMIT_MOTION_NODES];

	place(self, t, locals);
	jc_skeleton_normalize(self->skeleton, locals, out_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (!(self->motion.info.bone_mask >> b & 1)) {
			out_pose->rotations[b] = JC_QUAT_IDENTITY;
			out_pose->states[b] = JC_ABSENT;
		}
	}
}

static void channel(const struct jc_motion *motion, size_t index, double t, float *out_values)
{
	const struct gltf_motion *self = (const struct gltf_motion *)motion;
	const struct signal *signal = &self->signals[index];
	struct jc_transform local = signal->initial;

	if (signal->track.key_count) {
		float value[4];

		jc_gltf_track_sample(&signal->track, t + self->start, value);
		jc_gltf_track_apply(&local, signal->path, value);
	}
	if (signal->path == JC_GLTF_ROTATION) {
		memcpy(out_values, &local.rotation, sizeof(local.rotation));
	} else {
		out_values[0] = fminf(fmaxf(local.translation.x, 0.0f), 1.0f);
	}
}

static int match_node(
	const struct jc_motion *motion, size_t index, const struct jc_skeleton *skeleton)
{
	const struct gltf_motion *self = (const struct gltf_motion *)motion;

	return jc_gltf_node_tracks_match(&self->others, index, skeleton);
}

static struct jc_transform node(const struct jc_motion *motion, size_t index, double t)
{
	const struct gltf_motion *self = (const struct gltf_motion *)motion;

	return jc_gltf_node_tracks_sample(&self->others, index, t + self->start);
}

static const struct jc_motion_ops gltf_ops = {
	.destroy = destroy, .pose = pose, .channel = channel, .match_node = match_node, .node = node
};

/* Input and state while a motion is created. */
struct builder {
	const struct jc_gltf *gltf;
	const struct jc_gltf_clip *clip;
	const struct jc_gltf_figure *figure;
	struct gltf_motion *self;
	int *places;    /* by node of the figure */
	bool *is_above; /* by node of the skeleton: whether it is an ancestor of the hips */
	bool *is_moved; /* by node of the skeleton */
	bool *is_named; /* by node of the skeleton and path: whether a track by bone name moves it
			 */
	size_t budget;
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
};

static bool is_bone(const struct jc_skeleton_description *skeleton, int node)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] == node) {
			return true;
		}
	}
	return false;
}

/* Nodes between two bones count as well: the normalised rotation of the lower bone is that from
 * bone to bone in the world. */
static bool is_of_bones(const struct builder *builder, int node)
{
	int place_of = builder->places[node];

	return is_bone(builder->figure->skeleton, node) ||
	       (place_of >= 0 && !builder->is_above[place_of]);
}

static int node_of(const struct builder *builder, const struct jc_gltf_target *target)
{
	if (target->bone != JC_BONE_NONE) {
		return jc_skeleton_bone_node(builder->self->skeleton, target->bone);
	}
	if (builder->figure->is_reference ||
		(builder->figure->bones_only && !is_of_bones(builder, target->node))) {
		return -1;
	}
	return builder->places[target->node];
}

/* Bone lengths belong to the figure, so only the hips and their ancestors may change
 * their position. */
static bool counts(const struct builder *builder, const struct jc_gltf_target *target, int node)
{
	if (target->path == JC_GLTF_ROTATION) {
		return true;
	}
	if (target->bone != JC_BONE_NONE || builder->figure->bones_only) {
		return target->path == JC_GLTF_TRANSLATION &&
		       node == jc_skeleton_bone_node(builder->self->skeleton, JC_BONE_HIPS);
	}
	return builder->is_above[node];
}

static int add_mover(struct builder *builder, const struct jc_gltf_target *target, int node)
{
	struct gltf_motion *self = builder->self;
	struct mover mover = { .node = node, .is_relative = target->bone != JC_BONE_NONE };
	int error = jc_gltf_clip_track(builder->gltf, builder->clip, target, &builder->budget,
		&mover.track, builder->diagnostic);

	if (!error) {
		self->movers[self->mover_count++] = mover;
		builder->is_moved[node] = true;
	}
	return error;
}

static void pass_over(const struct builder *builder, const struct jc_gltf_target *target,
	struct jc_gltf_leftovers *left)
{
	if (target->bone != JC_BONE_NONE) {
		left->lacked = left->unmapped++ ? left->lacked : target->bone;
	} else if (builder->figure->is_reference || builder->places[target->node] >= 0) {
		left->others++;
	}
}

static void find_named(struct builder *builder)
{
	for (size_t i = 0; i < builder->clip->target_count; i++) {
		const struct jc_gltf_target *target = &builder->clip->targets[i];
		int node = target->bone != JC_BONE_NONE ? node_of(builder, target) : -1;

		if (node >= 0) {
			builder->is_named[node * JC_GLTF_PATHS + (int)target->path] = true;
		}
	}
}

static int add_movers(struct builder *builder)
{
	struct jc_gltf_leftovers left = { .unmapped = 0 };

	find_named(builder);
	for (size_t i = 0; i < builder->clip->target_count; i++) {
		const struct jc_gltf_target *target = &builder->clip->targets[i];
		int node = node_of(builder, target);
		int error;

		if (node < 0) {
			pass_over(builder, target, &left);
			continue;
		}
		if (target->bone == JC_BONE_NONE &&
			builder->is_named[node * JC_GLTF_PATHS + (int)target->path]) {
			continue;
		}
		if (!counts(builder, target, node)) {
			left.not_portable +=
				target->bone != JC_BONE_NONE || builder->figure->bones_only;
			continue;
		}
		error = add_mover(builder, target, node);
		if (error) {
			return error;
		}
	}
	jc_gltf_leftovers_lint(&left, builder->lint);
	return JC_OK;
}

/* Finds the track of a signal's node, if the clip has one. */
static int find_track(
	struct builder *builder, const struct jc_gltf_signal *from, struct signal *signal)
{
	for (size_t i = 0; i < builder->clip->target_count; i++) {
		const struct jc_gltf_target *target = &builder->clip->targets[i];

		if (target->bone == JC_BONE_NONE && target->node == from->node &&
			target->path == from->path) {
			return jc_gltf_clip_track(builder->gltf, builder->clip, target,
				&builder->budget, &signal->track, builder->diagnostic);
		}
	}
	return JC_OK;
}

static int add_signals(
	struct builder *builder, size_t count, const struct jc_gltf_signal *signals, char *strings)
{
	struct gltf_motion *self = builder->self;

	for (size_t i = 0; i < count; i++) {
		struct signal signal = {
			.initial = jc_gltf_nodes(builder->gltf)[signals[i].node].local,
			.path = signals[i].path,
		};
		int error = find_track(builder, &signals[i], &signal);

		if (error) {
			return error;
		}
		self->channels[i] = signals[i].channel;
		self->channels[i].name = strings;
		strings = stpcpy(strings, signals[i].channel.name) + 1;
		self->signals[i] = signal;
		self->motion.channel_count = i + 1;
	}
	return JC_OK;
}

/* Allocates all arrays; they are filled later. */
static int allocate(struct builder *builder, size_t signal_count,
	const struct jc_gltf_signal *signals, size_t *out_name_at)
{
	struct gltf_motion *self = builder->self;
	size_t nodes = JC_LIMIT_MOTION_NODES;
	size_t bytes = 0;

	for (size_t i = 0; i < signal_count; i++) {
		bytes += strlen(signals[i].channel.name) + 1;
	}
	*out_name_at = bytes;
	bytes += strlen(builder->clip->name) + 1;
	self->initial = calloc(nodes, sizeof(*self->initial));
	self->movers = calloc(builder->clip->target_count + 1, sizeof(*self->movers));
	self->signals = calloc(signal_count + 1, sizeof(*self->signals));
	self->channels = calloc(signal_count + 1, sizeof(*self->channels));
	self->strings = calloc(bytes, 1);
	builder->places = calloc(builder->figure->skeleton->node_count + 1, sizeof(int));
	builder->is_above = calloc(nodes, sizeof(bool));
	builder->is_moved = calloc(nodes, sizeof(bool));
	builder->is_named = calloc(nodes * JC_GLTF_PATHS, sizeof(bool));
	if (!self->initial || !self->movers || !self->signals || !self->channels ||
		!self->strings || !builder->places || !builder->is_above || !builder->is_moved ||
		!builder->is_named) {
		return jc_diagnose(builder->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return JC_OK;
}

static int make_skeleton(struct builder *builder)
{
	struct gltf_motion *self = builder->self;
	const struct jc_gltf_figure *figure = builder->figure;
	int hips;
	int error = jc_bone_chains_create(
		figure->skeleton, builder->places, &self->skeleton, builder->diagnostic);

	if (error) {
		return error;
	}
	for (size_t i = 0; i < figure->skeleton->node_count; i++) {
		int place_of = builder->places[i];

		if (place_of >= 0) {
			self->initial[place_of] =
				figure->initial ? figure->initial[i]
						: jc_skeleton_nodes(self->skeleton)[place_of].rest;
		}
	}
	hips = jc_skeleton_bone_node(self->skeleton, JC_BONE_HIPS);
	for (; hips >= 0; hips = jc_skeleton_nodes(self->skeleton)[hips].parent) {
		builder->is_above[hips] = true;
	}
	return JC_OK;
}

/* Nodes without a track are known to stand still; bones without a track by name are
 * absent. */
static uint64_t find_bones(const struct builder *builder)
{
	const struct jc_skeleton *skeleton = builder->self->skeleton;
	uint64_t mask = 0;

	if (!builder->clip->names_bones) {
		return jc_skeleton_bone_mask(skeleton);
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		mask |= (uint64_t)(node >= 0 && builder->is_moved[node]) << b;
	}
	return mask;
}

/* Extends the time span by a track and finds the highest key density. */
static void measure_track(
	const struct jc_gltf_track *track, double *first, double *last, double *densest)
{
	double from, to;

	if (track->key_count == 0) {
		return;
	}
	from = (double)track->times[0];
	to = (double)track->times[track->key_count - 1];
	*first = fmin(*first, from);
	*last = fmax(*last, to);
	if (track->key_count > 1) {
		*densest = fmax(*densest, (double)(track->key_count - 1) / (to - from));
	}
}

/* Time 0 is that of the file, or of the first key if that is earlier. */
static void fill_info(struct builder *builder, const char *name)
{
	struct gltf_motion *self = builder->self;
	double first = 0.0, last = -INFINITY, densest = 0.0;
	struct jc_motion_info *info = &self->motion.info;

	for (size_t i = 0; i < self->mover_count; i++) {
		measure_track(&self->movers[i].track, &first, &last, &densest);
	}
	for (size_t i = 0; i < self->motion.channel_count; i++) {
		measure_track(&self->signals[i].track, &first, &last, &densest);
	}
	self->start = first;
	last = fmax(last, first);
	*info = (struct jc_motion_info){
		.kind = JC_MOTION_POSES,
		.format = builder->figure->format,
		.name = name,
		.family = builder->figure->family,
		.confidence = builder->figure->confidence,
		.duration = last - first,
		.hips_height = jc_skeleton_hips_height(self->skeleton),
		.metres_per_unit = 1.0f,
		.bone_mask = find_bones(builder),
	};
	self->motion.skeleton = self->skeleton;
	jc_motion_count_frames(info, densest);
}

static int build(struct builder *builder, size_t signal_count, const struct jc_gltf_signal *signals)
{
	struct gltf_motion *self = builder->self;
	size_t name_at = 0;
	int error = allocate(builder, signal_count, signals, &name_at);

	if (!error) {
		error = make_skeleton(builder);
	}
	if (!error) {
		error = add_movers(builder);
	}
	if (!error) {
		error = add_signals(builder, signal_count, signals, self->strings);
	}
	/* Only the nodes of a file that has the figure itself belong to a skeleton. */
	if (!error && !builder->figure->is_reference && !builder->figure->bones_only) {
		error = jc_gltf_node_tracks_read(builder->gltf, builder->clip, builder->places,
			&builder->budget, &self->others, builder->lint, builder->diagnostic);
		self->motion.moving_node_count = self->others.count;
	}
	if (error) {
		return error;
	}
	if (self->mover_count == 0 && self->motion.channel_count == 0) {
		return jc_diagnose(builder->diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: animation %zu moves no bone", builder->clip->index);
	}
	strcpy(self->strings + name_at, builder->clip->name);
	fill_info(builder, self->strings + name_at);
	return JC_OK;
}

int jc_gltf_motion_create(const struct jc_gltf *gltf, const struct jc_gltf_clip *clip,
	const struct jc_gltf_figure *figure, size_t signal_count,
	const struct jc_gltf_signal *signals, struct jc_motion **out_motion, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct builder builder = {
		.gltf = gltf,
		.clip = clip,
		.figure = figure,
		.self = calloc(1, sizeof(struct gltf_motion)),
		.budget = JC_LIMIT_MOTION_VALUES,
		.lint = lint,
		.diagnostic = diagnostic,
	};
	int error;

	if (!builder.self) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	builder.self->motion.ops = &gltf_ops;
	error = build(&builder, signal_count, signals);
	free(builder.places);
	free(builder.is_above);
	free(builder.is_moved);
	free(builder.is_named);
	if (error) {
		destroy(&builder.self->motion);
		return error;
	}
	builder.self->motion.channels = builder.self->channels;
	*out_motion = &builder.self->motion;
	return JC_OK;
}
