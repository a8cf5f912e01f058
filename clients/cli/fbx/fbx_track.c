/* Samples the chain of a joint at the times of all its keys. Between keys FBX may have curves;
 * libassimp keeps only their keys. */
#include "fbx/fbx_track.h"

#include <assimp/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define WHOLE 0.02 /* ticks beside a whole one, as times are floats */

/* A node of the scene, to be found by its name. */
struct entry {
	const char *name; /* borrowed */
	int joint, link;
};

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int out_of_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Lists the links of all joints by name. */
static struct entry *list_links(const struct jc_fbx_scene *scene, size_t *out_count)
{
	struct entry *entries;
	size_t count = 0;

	for (size_t j = 0; j < scene->joint_count; j++) {
		count += (size_t)scene->joints[j].link_count;
	}
	entries = calloc(count + 1, sizeof(*entries));
	if (!entries) {
		return NULL;
	}
	*out_count = count;
	for (size_t j = 0; j < scene->joint_count; j++) {
		for (int i = 0; i < scene->joints[j].link_count; i++) {
			entries[--count] =
				(struct entry){ scene->joints[j].links[i]->mName.data, (int)j, i };
		}
	}
	qsort(entries, *out_count, sizeof(*entries), compare_entries);
	return entries;
}

/* libassimp assigns curves to nodes by name: of two nodes with one name, the curves are mixed. */
static int assign(struct jc_fbx_channels *channels, const struct aiAnimation *motion,
	const struct entry *entries, size_t count, struct jc_diagnostic *diagnostic)
{
	for (unsigned i = 0; i < motion->mNumChannels; i++) {
		const struct aiNodeAnim *channel = motion->mChannels[i];
		struct entry wanted = { .name = channel->mNodeName.data };
		const struct entry *found =
			bsearch(&wanted, entries, count, sizeof(*entries), compare_entries);

		if (!found) {
			continue;
		}
		if ((found > entries && compare_entries(found - 1, found) == 0) ||
			(found + 1 < entries + count && compare_entries(found, found + 1) == 0)) {
			return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
				"moves two nodes with the name '%.80s', and libassimp mixes their "
				"motions",
				wanted.name);
		}
		channels->links[found->joint][found->link] = channel;
	}
	return JC_OK;
}

static double whole_tick(double time, bool *out_is_whole)
{
	double whole = floor(time + 0.5);

	*out_is_whole = fabs(time - whole) < WHOLE;
	return whole;
}

static bool has_whole_ticks(const struct aiNodeAnim *channel)
{
	bool is_whole = true;

	for (unsigned i = 0; i < channel->mNumRotationKeys && is_whole; i++) {
		whole_tick(channel->mRotationKeys[i].mTime, &is_whole);
	}
	return is_whole;
}

static bool is_baked(const struct aiAnimation *motion)
{
	size_t whole_count = 0;

	for (unsigned i = 0; i < motion->mNumChannels; i++) {
		whole_count += has_whole_ticks(motion->mChannels[i]);
	}
	return 2 * whole_count >= motion->mNumChannels;
}

int jc_fbx_channels_init(struct jc_fbx_channels *out_channels, const struct jc_fbx_scene *scene,
	const struct aiAnimation *motion, struct jc_diagnostic *diagnostic)
{
	struct jc_fbx_channels channels = {
		.scene = scene,
		.ticks = motion->mTicksPerSecond,
		.is_baked = is_baked(motion),
		.links = calloc(scene->joint_count + 1, sizeof(*channels.links)),
	};
	size_t count = 0;
	struct entry *entries = channels.links ? list_links(scene, &count) : NULL;
	int error;

	if (!entries) {
		error = out_of_memory(diagnostic);
	} else if (!isfinite(channels.ticks) || channels.ticks == 0.0) {
		error = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "its frame rate is %g", channels.ticks);
	} else {
		error = assign(&channels, motion, entries, count, diagnostic);
	}
	free(entries);
	if (error) {
		jc_fbx_channels_finish(&channels);
		return error;
	}
	*out_channels = channels;
	return JC_OK;
}

void jc_fbx_channels_finish(struct jc_fbx_channels *channels)
{
	free(channels->links);
}

/* Keys are a pointer to structs that begin with their time. */
static double key_time(const void *keys, size_t size, unsigned index)
{
	double time;

	memcpy(&time, (const char *)keys + size * index, sizeof(time));
	return time;
}

/* The index of the last key that is not later than a time, and the way to the next one, 0 to 1. */
static unsigned find_key(const void *keys, size_t size, unsigned count, double time, float *out_way)
{
	unsigned low = 0;
	unsigned high = count - 1;
	double begin, end;

	*out_way = 0.0f;
	while (low < high) {
		unsigned middle = low + (high - low + 1) / 2;

		if (key_time(keys, size, middle) <= time) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	if (low + 1 < count) {
		begin = key_time(keys, size, low);
		end = key_time(keys, size, low + 1);
		if (end > begin && time > begin) {
			*out_way = (float)fmin(1.0, (time - begin) / (end - begin));
		}
	}
	return low;
}

static struct jc_vec3 vector_of(
	const struct aiVectorKey *keys, unsigned count, double time, struct jc_vec3 otherwise)
{
	struct jc_vec3 a, b;
	unsigned i;
	float way;

	if (count == 0) {
		return otherwise;
	}
	i = find_key(keys, sizeof(*keys), count, time, &way);
	a = (struct jc_vec3){ keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z };
	if (way == 0.0f) {
		return a;
	}
	b = (struct jc_vec3){ keys[i + 1].mValue.x, keys[i + 1].mValue.y, keys[i + 1].mValue.z };
	return jc_vec3_lerp(a, b, way);
}

static struct jc_quat quat_of(const struct aiQuatKey *key)
{
	return jc_quat_normalize(
		(struct jc_quat){ key->mValue.x, key->mValue.y, key->mValue.z, key->mValue.w });
}

static struct jc_quat rotation_of(
	const struct aiQuatKey *keys, unsigned count, double time, struct jc_quat otherwise)
{
	unsigned i;
	float way;

	if (count == 0) {
		return otherwise;
	}
	i = find_key(keys, sizeof(*keys), count, time, &way);
	return way == 0.0f ? quat_of(&keys[i])
			   : jc_quat_slerp(quat_of(&keys[i]), quat_of(&keys[i + 1]), way);
}

/* The transform of one link of a chain; `time` in ticks. */
static struct jc_transform link_at(
	const struct aiNode *node, const struct aiNodeAnim *channel, double time)
{
	struct jc_transform rest =
		jc_fbx_scene_transform(jc_fbx_scene_matrix(&node->mTransformation));

	if (!channel) {
		return rest;
	}
	return (struct jc_transform){
		vector_of(
			channel->mPositionKeys, channel->mNumPositionKeys, time, rest.translation),
		rotation_of(channel->mRotationKeys, channel->mNumRotationKeys, time, rest.rotation),
		vector_of(channel->mScalingKeys, channel->mNumScalingKeys, time, rest.scale),
	};
}

/* The inverse post-rotation of a chain, the identity without one. */
static struct jc_quat post_rotation(const struct jc_fbx_joint *joint)
{
	for (int i = 0; i < joint->link_count - 1; i++) {
		if (strstr(joint->links[i]->mName.data, "_$AssimpFbx$_PostRotation")) {
			return link_at(joint->links[i], NULL, 0.0).rotation;
		}
	}
	return JC_QUAT_IDENTITY;
}

/* Without pivots and offsets, libassimp gives the last link a channel of the whole chain, with the
 * rotation pre * R * post. In FBX it is pre * R * inverse(post). */
static struct jc_transform whole_at(
	const struct jc_fbx_joint *joint, const struct aiNodeAnim *channel, double time)
{
	struct jc_transform local = link_at(joint->links[joint->link_count - 1], channel, time);
	struct jc_quat post = post_rotation(joint);

	local.rotation = jc_quat_multiply(local.rotation, jc_quat_multiply(post, post));
	return local;
}

static bool has_whole_channel(
	const struct jc_fbx_joint *joint, const struct aiNodeAnim *const *channels)
{
	for (int i = 0; i < joint->link_count - 1; i++) {
		if (channels[i]) {
			return false;
		}
	}
	return channels[joint->link_count - 1] != NULL;
}

/* The local transform of a joint. */
static struct jc_transform local_at(
	const struct jc_fbx_joint *joint, const struct aiNodeAnim *const *channels, double time)
{
	struct jc_mat4 product;

	if (has_whole_channel(joint, channels)) {
		return whole_at(joint, channels[joint->link_count - 1], time);
	}
	product = jc_mat4_compose(link_at(joint->links[0], channels[0], time));
	for (int i = 1; i < joint->link_count; i++) {
		product = jc_mat4_multiply(
			product, jc_mat4_compose(link_at(joint->links[i], channels[i], time)));
	}
	return jc_fbx_scene_transform(product);
}

/* Appends the times of keys. One key is a constant: its time does not count. */
static size_t gather(const struct jc_fbx_channels *channels, const void *keys, size_t size,
	unsigned count, float *times)
{
	for (unsigned i = 0; i < count && count > 1 && times; i++) {
		double time = key_time(keys, size, i) / channels->ticks;

		times[i] = time > 0.0 ? (float)time : 0.0f;
	}
	return count > 1 ? count : 0;
}

/* Appends the times of all keys of a joint to `times`, unless it is NULL. Returns their number. */
static size_t gather_all(const struct jc_fbx_channels *channels, size_t joint, float *times)
{
	size_t count = 0;

	for (int i = 0; i < channels->scene->joints[joint].link_count; i++) {
		const struct aiNodeAnim *c = channels->links[joint][i];

		if (!c) {
			continue;
		}
		count += gather(channels, c->mPositionKeys, sizeof(*c->mPositionKeys),
			c->mNumPositionKeys, times ? times + count : NULL);
		count += gather(channels, c->mRotationKeys, sizeof(*c->mRotationKeys),
			c->mNumRotationKeys, times ? times + count : NULL);
		count += gather(channels, c->mScalingKeys, sizeof(*c->mScalingKeys),
			c->mNumScalingKeys, times ? times + count : NULL);
	}
	return count;
}

static int compare_times(const void *a, const void *b)
{
	float x = *(const float *)a;
	float y = *(const float *)b;

	return (x > y) - (x < y);
}

static size_t sort_times(float *times, size_t count)
{
	size_t kept = 0;

	qsort(times, count, sizeof(*times), compare_times);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || times[i] > times[kept - 1]) {
			times[kept++] = times[i];
		}
	}
	return kept;
}

/* libassimp adds keys, a tenth of a tick apart, where an angle turns half a circle or more between
 * two keys. Between two frames of a baked motion the angle only changes its form: without the added
 * keys the rotation takes the short way, and the motion has the frame rate of the file. Of two keys
 * at one frame the first is kept. */
static size_t keep_frames(const struct jc_fbx_channels *channels, float *times, size_t count)
{
	size_t kept = 0;
	size_t next = 0; /* the first frame after a time */
	double last = -2.0;

	for (size_t i = 0; i < count; i++) {
		bool is_whole;
		double whole = whole_tick((double)times[i] * channels->ticks, &is_whole);
		bool next_is_whole = false;
		double next_whole = 0.0;

		if (is_whole && whole == last) {
			continue;
		}
		for (next = next > i ? next : i; !is_whole && next < count && !next_is_whole;
			next++) {
			next_whole =
				whole_tick((double)times[next] * channels->ticks, &next_is_whole);
		}
		next -= next_is_whole;
		if (!is_whole && next_is_whole && next_whole == last + 1.0) {
			continue;
		}
		last = is_whole ? whole : last;
		times[kept++] = times[i];
	}
	return kept;
}

static bool is_moved(const struct jc_fbx_channels *channels, size_t joint)
{
	for (int i = 0; i < channels->scene->joints[joint].link_count; i++) {
		if (channels->links[joint][i]) {
			return true;
		}
	}
	return false;
}

int jc_fbx_track_init(struct jc_fbx_track *out_track, const struct jc_fbx_channels *channels,
	size_t joint, struct jc_diagnostic *diagnostic)
{
	const struct jc_fbx_joint *about = &channels->scene->joints[joint];
	struct jc_fbx_track track = { .count = 0 };
	size_t room;

	if (!is_moved(channels, joint)) {
		*out_track = track;
		return JC_OK;
	}
	room = gather_all(channels, joint, NULL) + 1;
	track.times = calloc(room, sizeof(*track.times));
	track.locals = calloc(room, sizeof(*track.locals));
	if (!track.times || !track.locals) {
		jc_fbx_track_finish(&track);
		return out_of_memory(diagnostic);
	}
	track.count = sort_times(track.times, gather_all(channels, joint, track.times));
	if (channels->is_baked) {
		track.count = keep_frames(channels, track.times, track.count);
	}
	track.count = track.count ? track.count : 1; /* at 0, as calloc left it */
	for (size_t i = 0; i < track.count; i++) {
		track.locals[i] = local_at(
			about, channels->links[joint], (double)track.times[i] * channels->ticks);
	}
	*out_track = track;
	return JC_OK;
}

void jc_fbx_track_finish(struct jc_fbx_track *track)
{
	free(track->times);
	free(track->locals);
}
