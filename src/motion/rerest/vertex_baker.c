/* Moves vertices by blended matrices: positions by the matrix, tangents and morph target
 * offsets by its linear part, normals by the inverse transpose of that. */
#include "vertex_baker.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/array.h"

enum {
	SETS = 4,  /* of JOINTS_n and WEIGHTS_n: sixteen joints for each vertex */
	BLEND = 12 /* numbers of a blended matrix: three rows of four */
};

enum kind { POSITIONS, NORMALS, TANGENTS, MORPH_POSITIONS, MORPH_NORMALS, MORPH_TANGENTS };

/* Joints and weights of a primitive. */
struct hold {
	int skin;
	int joints[SETS], weights[SETS]; /* accessors or -1 */
};

struct baked {
	struct hold hold;
	enum kind kind;
	int base;     /* accessor of the attribute that a morph target changes, or -1 */
	int from, to; /* accessors */
};

struct jc_vertex_baker {
	struct jc_gltf_edit *edit;
	size_t count, capacity;
	struct baked *done;
	struct hold hold; /* from which the blends come */
	size_t blend_count;
	float *blends; /* BLEND numbers for each vertex; NULL before the first primitive */
};

/* The primitive that is being baked. */
struct work {
	struct jc_vertex_baker *baker;
	const struct jc_vertex_baker_source *source;
	struct hold hold;
	struct jc_diagnostic *diagnostic;
};

struct jc_vertex_baker *jc_vertex_baker_create(struct jc_gltf_edit *edit)
{
	struct jc_vertex_baker *baker = calloc(1, sizeof(*baker));

	if (baker) {
		baker->edit = edit;
	}
	return baker;
}

void jc_vertex_baker_destroy(struct jc_vertex_baker *baker)
{
	if (baker) {
		free(baker->done);
		free(baker->blends);
		free(baker);
	}
}

__attribute__((format(printf, 3, 4))) static int refuse(
	const struct work *work, int error, const char *format, ...)
{
	char where[80], what[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	snprintf(where, sizeof(where), "meshes[%d].primitives[%d]", work->source->mesh,
		work->source->primitive);
	return jc_diagnose(work->diagnostic, error, where, "%s", what);
}

static int accessor_of(const json_t *attributes, const char *name)
{
	const json_t *value = json_object_get(attributes, name);
	json_int_t index = json_integer_value(value);

	return json_is_integer(value) && index >= 0 && index < (json_int_t)JC_LIMIT_ACCESSORS
		       ? (int)index
		       : -1;
}

static void find_hold(const json_t *attributes, int skin, struct hold *out_hold)
{
	memset(out_hold, 0, sizeof(*out_hold));
	out_hold->skin = skin;
	for (int s = 0; s < SETS; s++) {
		char name[16];

		snprintf(name, sizeof(name), "JOINTS_%d", s);
		out_hold->joints[s] = accessor_of(attributes, name);
		snprintf(name, sizeof(name), "WEIGHTS_%d", s);
		out_hold->weights[s] = accessor_of(attributes, name);
	}
}

static bool same_hold(const struct hold *a, const struct hold *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static void add_matrix(float *blend, const struct jc_mat4 *matrix, float weight)
{
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 4; column++) {
			blend[4 * row + column] += weight * matrix->m[4 * column + row];
		}
	}
}

/* Adds one set of four joints for each vertex; sums has the weights so far. */
static int add_set(const struct work *work, int set, size_t count, float *blends, float *sums)
{
	const struct jc_gltf *gltf = work->baker->edit->gltf;
	size_t counts[2], components[2];
	float *joints = NULL, *weights = NULL;
	int error = jc_gltf_accessor_floats(gltf, work->hold.joints[set], &counts[0],
		&components[0], &joints, work->diagnostic);

	if (!error) {
		error = jc_gltf_accessor_floats(gltf, work->hold.weights[set], &counts[1],
			&components[1], &weights, work->diagnostic);
	}
	if (!error && (counts[0] != count || counts[1] != count || components[0] != 4 ||
			      components[1] != 4)) {
		error = refuse(work, JC_ERROR_INVALID, "its joints do not fit its vertices");
	}
	for (size_t i = 0; i < 4 * count && !error; i++) {
		float joint = joints[i];

		if (weights[i] == 0.0f) {
			continue;
		}
		if (!(joint >= 0.0f && joint < (float)work->source->matrix_count) ||
			!isfinite(weights[i])) {
			error = refuse(work, JC_ERROR_INVALID,
				"vertex %zu refers to joint %g of %zu", i / 4, (double)joint,
				work->source->matrix_count);
			break;
		}
		add_matrix(blends + BLEND * (i / 4), &work->source->matrices[(size_t)joint],
			weights[i]);
		sums[i / 4] += weights[i];
	}
	free(joints);
	free(weights);
	return error;
}

/* Normalises the weights of a vertex to a sum of one; without weights the first joint
 * gets one. */
static void share(const struct work *work, float sum, float *blend)
{
	const float least = 1e-6f;

	for (int k = 0; k < BLEND; k++) {
		blend[k] = fabsf(sum) > least ? blend[k] / sum : 0.0f;
	}
	if (!(fabsf(sum) > least) && work->source->matrix_count) {
		add_matrix(blend, &work->source->matrices[0], 1.0f);
	}
}

/* Sets the blends of the baker to those of a primitive of `count` vertices. */
static int blend(const struct work *work, size_t count)
{
	struct jc_vertex_baker *baker = work->baker;
	float *blends, *sums;
	int error = JC_OK;

	if (baker->blends && baker->blend_count == count && same_hold(&baker->hold, &work->hold)) {
		return JC_OK;
	}
	if (work->hold.joints[0] < 0 || work->hold.weights[0] < 0) {
		return refuse(work, JC_ERROR_INVALID, "skinned, but it has no joints");
	}
	blends = calloc(count + 1, BLEND * sizeof(float));
	sums = calloc(count + 1, sizeof(float));
	if (!blends || !sums) {
		error = jc_diagnose(work->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (int s = 0; s < SETS && !error; s++) {
		if (work->hold.joints[s] >= 0 && work->hold.weights[s] >= 0) {
			error = add_set(work, s, count, blends, sums);
		}
	}
	for (size_t i = 0; i < count && !error; i++) {
		share(work, sums[i], blends + BLEND * i);
	}
	if (!error) {
		free(baker->blends);
		baker->blends = blends;
		baker->blend_count = count;
		baker->hold = work->hold;
		blends = NULL;
	}
out:
	free(blends);
	free(sums);
	return error;
}

static struct jc_vec3 row_of(const float *blend, int row)
{
	return (struct jc_vec3){ blend[4 * row], blend[4 * row + 1], blend[4 * row + 2] };
}

static struct jc_vec3 turn_along(const float *blend, struct jc_vec3 v)
{
	return (struct jc_vec3){ jc_vec3_dot(row_of(blend, 0), v), jc_vec3_dot(row_of(blend, 1), v),
		jc_vec3_dot(row_of(blend, 2), v) };
}

/* Uses cofactors, which differ from the inverse transpose by the determinant only. */
static struct jc_vec3 turn_normal(const float *blend, struct jc_vec3 v)
{
	struct jc_vec3 x = row_of(blend, 0), y = row_of(blend, 1), z = row_of(blend, 2);
	struct jc_vec3 turned = { jc_vec3_dot(jc_vec3_cross(y, z), v),
		jc_vec3_dot(jc_vec3_cross(z, x), v), jc_vec3_dot(jc_vec3_cross(x, y), v) };

	return jc_vec3_dot(jc_vec3_cross(x, y), z) < 0.0f ? jc_vec3_scale(turned, -1.0f) : turned;
}

/* base: for a morph target, the normal that it changes; otherwise unused. */
static struct jc_vec3 bake_one(
	enum kind kind, const float *blend, struct jc_vec3 v, struct jc_vec3 base)
{
	float length;

	switch (kind) {
	case POSITIONS:
		return jc_vec3_add(
			turn_along(blend, v), (struct jc_vec3){ blend[3], blend[7], blend[11] });
	case NORMALS:
		return jc_vec3_normalize(turn_normal(blend, v));
	case TANGENTS:
		return jc_vec3_normalize(turn_along(blend, v));
	case MORPH_NORMALS:
		length = jc_vec3_length(turn_normal(blend, base));
		return jc_vec3_scale(turn_normal(blend, v), length > 0.0f ? 1.0f / length : 0.0f);
	case MORPH_POSITIONS:
	case MORPH_TANGENTS:
		break;
	}
	return turn_along(blend, v);
}

static int remember(struct jc_vertex_baker *baker, struct baked baked)
{
	if (!jc_array_grow(
		    &baker->done, &baker->capacity, baker->count + 1, SIZE_MAX, sizeof(baked))) {
		return JC_ERROR_MEMORY;
	}
	baker->done[baker->count++] = baked;
	return JC_OK;
}

/* Moves count vectors in place; false if one goes out of range. */
static bool bake_values(const struct work *work, enum kind kind, size_t count, size_t components,
	const float *bases, float *values)
{
	for (size_t i = 0; i < count; i++) {
		float *v = values + components * i;
		struct jc_vec3 base = { 0.0f, 0.0f, 0.0f };
		struct jc_vec3 moved;

		if (bases) {
			base = (struct jc_vec3){ bases[3 * i], bases[3 * i + 1], bases[3 * i + 2] };
		}
		moved = bake_one(kind, work->baker->blends + BLEND * i,
			(struct jc_vec3){ v[0], v[1], v[2] }, base);
		if (!jc_vec3_is_finite(moved)) {
			return false;
		}
		v[0] = moved.x;
		v[1] = moved.y;
		v[2] = moved.z;
	}
	return true;
}

static int bake_accessor(
	const struct work *work, enum kind kind, int accessor, int base, int *out_accessor)
{
	struct jc_gltf_edit *edit = work->baker->edit;
	size_t count, components, base_count = 0, base_components = 3;
	float *values = NULL, *bases = NULL;
	int error = jc_gltf_accessor_floats(
		edit->gltf, accessor, &count, &components, &values, work->diagnostic);

	if (!error && base >= 0) {
		error = jc_gltf_accessor_floats(
			edit->gltf, base, &base_count, &base_components, &bases, work->diagnostic);
	}
	if (!error && (components != (kind == TANGENTS ? 4u : 3u) || base_components != 3 ||
			      (base >= 0 && base_count != count))) {
		error = refuse(
			work, JC_ERROR_INVALID, "accessor %d does not fit its use", accessor);
	}
	if (!error) {
		error = blend(work, count);
	}
	if (!error && !bake_values(work, kind, count, components, bases, values)) {
		error = refuse(work, JC_ERROR_INVALID, "accessor %d goes out of range", accessor);
	}
	if (!error) {
		*out_accessor = jc_gltf_edit_add(edit,
			(struct jc_gltf_floats){ kind == TANGENTS ? "VEC4" : "VEC3", components,
				count, values, kind == POSITIONS || kind == MORPH_POSITIONS });
	}
	free(values);
	free(bases);
	return error;
}

/* Bakes a field of attributes or of a morph target. */
static int bake_field(const struct work *work, enum kind kind, const json_t *from, const char *name,
	int base, json_t *to)
{
	struct jc_vertex_baker *baker = work->baker;
	struct baked baked = { work->hold, kind, base, accessor_of(from, name), 0 };
	int error;

	if (baked.from < 0) {
		return JC_OK;
	}
	for (size_t i = 0; i < baker->count; i++) {
		const struct baked *other = &baker->done[i];

		if (other->from == baked.from && other->kind == kind && other->base == base &&
			same_hold(&other->hold, &baked.hold)) {
			jc_gltf_edit_set(baker->edit, to, name, json_integer(other->to));
			return JC_OK;
		}
	}
	error = bake_accessor(work, kind, baked.from, base, &baked.to);
	if (!error && remember(baker, baked)) {
		error = jc_diagnose(work->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (!error) {
		jc_gltf_edit_set(baker->edit, to, name, json_integer(baked.to));
	}
	return error;
}

static int bake_targets(const struct work *work, json_t *out_primitive)
{
	const json_t *from = json_object_get(work->source->json, "targets");
	json_t *to = json_object_get(out_primitive, "targets");
	int normals = accessor_of(json_object_get(work->source->json, "attributes"), "NORMAL");
	int error = JC_OK;

	for (size_t t = 0; t < json_array_size(from) && !error; t++) {
		const json_t *target = json_array_get(from, t);
		json_t *out = json_array_get(to, t);

		error = bake_field(work, MORPH_POSITIONS, target, "POSITION", -1, out);
		if (!error && normals >= 0) {
			error = bake_field(work, MORPH_NORMALS, target, "NORMAL", normals, out);
		}
		if (!error) {
			error = bake_field(work, MORPH_TANGENTS, target, "TANGENT", -1, out);
		}
	}
	return error;
}

int jc_vertex_baker_bake(struct jc_vertex_baker *baker, const struct jc_vertex_baker_source *source,
	json_t *out_primitive, struct jc_diagnostic *diagnostic)
{
	const json_t *from = json_object_get(source->json, "attributes");
	json_t *to = json_object_get(out_primitive, "attributes");
	struct work work = { .baker = baker, .source = source, .diagnostic = diagnostic };
	int error;

	if (json_object_get(
		    json_object_get(source->json, "extensions"), "KHR_draco_mesh_compression")) {
		return refuse(&work, JC_ERROR_UNSUPPORTED,
			"compressed with Draco, which is not supported: decompress the file first");
	}
	find_hold(from, source->skin, &work.hold);
	error = bake_field(&work, POSITIONS, from, "POSITION", -1, to);
	if (!error) {
		error = bake_field(&work, NORMALS, from, "NORMAL", -1, to);
	}
	if (!error) {
		error = bake_field(&work, TANGENTS, from, "TANGENT", -1, to);
	}
	return error ? error : bake_targets(&work, out_primitive);
}
