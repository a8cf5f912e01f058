/* Accessors (3.6.2): typed views into buffers, read as floats. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_private.h"
#include "jointcast/limits.h"
#include "jointcast_private/gltf_accessor.h"
#include "jointcast_private/gltf_view.h"
#include "jointcast_private/json.h"

enum component_type {
	BYTE = 5120,
	UNSIGNED_BYTE = 5121,
	SHORT = 5122,
	UNSIGNED_SHORT = 5123,
	UNSIGNED_INT = 5125,
	FLOAT = 5126,
};

/* How elements lie in memory. */
struct layout {
	enum component_type type;
	size_t component_size;
	size_t columns, rows;
	size_t column_stride; /* columns of small types are padded to four bytes (3.6.2.4) */
	size_t element_size;
	bool normalized;
};

static size_t component_size(long long type)
{
	switch (type) {
	case BYTE:
	case UNSIGNED_BYTE:
		return 1;
	case SHORT:
	case UNSIGNED_SHORT:
		return 2;
	case UNSIGNED_INT:
	case FLOAT:
		return 4;
	default:
		return 0;
	}
}

static int make_layout(const char *shape, long long type, bool normalized,
	const struct jc_json_place *place, struct layout *out_layout,
	struct jc_diagnostic *diagnostic)
{
	static const struct {
		const char *name;
		size_t columns, rows;
	} shapes[] = {
		{ "SCALAR", 1, 1 },
		{ "VEC2", 1, 2 },
		{ "VEC3", 1, 3 },
		{ "VEC4", 1, 4 },
		{ "MAT2", 2, 2 },
		{ "MAT3", 3, 3 },
		{ "MAT4", 4, 4 },
	};
	size_t size = component_size(type);

	if (size == 0) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "no valid component type: %lld", type);
	}
	if (normalized && size == 4) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"normalized, but its component type does not permit it");
	}
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if (strcmp(shapes[i].name, shape) == 0) {
			size_t stride = shapes[i].rows * size;

			if (shapes[i].columns > 1) {
				stride = (stride + 3) & ~(size_t)3;
			}
			*out_layout = (struct layout){
				.type = (enum component_type)type,
				.component_size = size,
				.columns = shapes[i].columns,
				.rows = shapes[i].rows,
				.column_stride = stride,
				.element_size = stride * shapes[i].columns,
				.normalized = normalized,
			};
			return JC_OK;
		}
	}
	return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "no valid type: '%s'", shape);
}

static float read_component(const uint8_t *bytes, enum component_type type, bool normalized)
{
	uint32_t bits = bytes[0];
	float value;

	switch (type) {
	case BYTE:
		value = (int8_t)bits;
		return normalized ? fmaxf(value / 127.0f, -1.0f) : value;
	case UNSIGNED_BYTE:
		value = (float)bits;
		return normalized ? value / 255.0f : value;
	case SHORT:
		value = (int16_t)(bits | (uint32_t)bytes[1] << 8);
		return normalized ? fmaxf(value / 32767.0f, -1.0f) : value;
	case UNSIGNED_SHORT:
		value = (float)(bits | (uint32_t)bytes[1] << 8);
		return normalized ? value / 65535.0f : value;
	case UNSIGNED_INT:
	case FLOAT:
		break;
	}
	bits |= (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	if (type == UNSIGNED_INT) {
		return (float)bits;
	}
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void read_element(const uint8_t *bytes, const struct layout *layout, float *out)
{
	for (size_t column = 0; column < layout->columns; column++) {
		for (size_t row = 0; row < layout->rows; row++) {
			*out++ = read_component(bytes + column * layout->column_stride +
							row * layout->component_size,
				layout->type, layout->normalized);
		}
	}
}

/* Opens what `json` (an accessor or a half of a sparse one) points to and
 * proves that count elements lie inside. Leaves out_view alone where no buffer
 * view is named. */
static int open_elements(const struct jc_gltf *gltf, const json_t *json,
	const struct jc_json_place *place, const struct layout *layout, size_t count,
	struct jc_gltf_view *out_view, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_view view = { .bytes = NULL };
	long long offset = 0;
	int index = -1;
	int error = jc_json_read_index(json, "bufferView", place, 0, INT_MAX, &index, diagnostic);

	if (!error) {
		error = jc_json_read_integer(
			json, "byteOffset", place, 0, UINT_MAX, &offset, diagnostic);
	}
	if (error || index < 0) {
		return error;
	}
	error = jc_gltf_view_read(gltf, index, place, &view, diagnostic);
	if (error) {
		return error;
	}
	if (view.stride == 0) {
		view.stride = layout->element_size;
	}
	if (view.stride < layout->element_size) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"elements of %zu bytes at a stride of %zu", layout->element_size,
			view.stride);
	}
	if ((size_t)offset > view.length || view.length - (size_t)offset < layout->element_size ||
		(view.length - (size_t)offset - layout->element_size) / view.stride < count - 1) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_TRUNCATED, place, "ends past its buffer view");
	}
	view.bytes += offset;
	*out_view = view;
	return JC_OK;
}

/* Which elements a sparse accessor replaces, and by what. */
struct substitution {
	struct layout index_layout;
	struct jc_gltf_view indices, values;
	size_t count;
};

static int read_substitution(const struct jc_gltf *gltf, const json_t *sparse, size_t count,
	const struct layout *layout, const struct jc_json_place *place,
	struct substitution *out_substitution, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place indices_place = { .outer = place, .key = "indices" };
	struct jc_json_place values_place = { .outer = place, .key = "values" };
	const json_t *indices = json_object_get(sparse, "indices");
	const json_t *values = json_object_get(sparse, "values");
	struct substitution s = { .count = 0 };
	long long type = 0, replaced = 0;
	int error = jc_json_read_integer(
		sparse, "count", place, 1, (long long)count, &replaced, diagnostic);

	if (!error) {
		error = jc_json_read_integer(
			indices, "componentType", &indices_place, 0, INT_MAX, &type, diagnostic);
	}
	if (error) {
		return error;
	}
	if (replaced == 0 ||
		(type != UNSIGNED_BYTE && type != UNSIGNED_SHORT && type != UNSIGNED_INT)) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place,
			"a count or valid indices are missing");
	}
	s.count = (size_t)replaced;
	error = make_layout("SCALAR", type, false, &indices_place, &s.index_layout, diagnostic);
	if (!error) {
		error = open_elements(gltf, indices, &indices_place, &s.index_layout, s.count,
			&s.indices, diagnostic);
	}
	if (!error) {
		error = open_elements(
			gltf, values, &values_place, layout, s.count, &s.values, diagnostic);
	}
	if (error) {
		return error;
	}
	if (!s.indices.bytes || !s.values.bytes) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, place, "indices or values are missing");
	}
	*out_substitution = s;
	return JC_OK;
}

/* Replaces the elements that accessor.sparse lists (3.6.2.3). */
static int substitute(const struct jc_gltf *gltf, const json_t *sparse, size_t count,
	const struct layout *layout, const struct jc_json_place *accessor, float *values,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .outer = accessor, .key = "sparse" };
	struct substitution s = { .count = 0 };
	int error = read_substitution(gltf, sparse, count, layout, &place, &s, diagnostic);

	for (size_t i = 0; !error && i < s.count; i++) {
		/* A float holds all indices below count exactly, because
		 * JC_LIMIT_ACCESSOR_VALUES is 2^24. */
		float index = read_component(
			s.indices.bytes + i * s.indices.stride, s.index_layout.type, false);

		if (index >= (float)count) {
			return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
				"index %.0f is out of range: the accessor has %zu elements",
				(double)index, count);
		}
		read_element(s.values.bytes + i * s.values.stride, layout,
			values + (size_t)index * layout->columns * layout->rows);
	}
	return error;
}

static int check_finite(const float *values, size_t count, const struct jc_json_place *place,
	struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) {
			return jc_json_refuse(
				diagnostic, JC_ERROR_INVALID, place, "value %zu is not finite", i);
		}
	}
	return JC_OK;
}

static int read_header(const json_t *json, const struct jc_json_place *place,
	struct layout *out_layout, size_t *out_count, struct jc_diagnostic *diagnostic)
{
	const char *shape = "";
	long long type = 0, count = 0;
	bool normalized = false;
	int error = jc_json_read_string(json, "type", place, &shape, diagnostic);

	if (!error) {
		error = jc_json_read_integer(
			json, "componentType", place, 0, INT_MAX, &type, diagnostic);
	}
	if (!error) {
		error = jc_json_read_integer(
			json, "count", place, 1, INT64_C(1) << 53, &count, diagnostic);
	}
	if (!error) {
		error = jc_json_read_bool(json, "normalized", place, &normalized, diagnostic);
	}
	if (!error) {
		error = make_layout(shape, type, normalized, place, out_layout, diagnostic);
	}
	if (error) {
		return error;
	}
	if (count < 1) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "a count is missing");
	}
	if ((size_t)count > JC_LIMIT_ACCESSOR_VALUES / (out_layout->columns * out_layout->rows)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_LIMIT, place, "too many elements: %lld", count);
	}
	*out_count = (size_t)count;
	return JC_OK;
}

static int read_values(const struct jc_gltf *gltf, const json_t *json,
	const struct jc_json_place *place, const struct layout *layout, size_t count,
	float **out_values, struct jc_diagnostic *diagnostic)
{
	size_t components = layout->columns * layout->rows;
	struct jc_gltf_view view = { .bytes = NULL };
	const json_t *sparse = NULL;
	float *values;
	int error = open_elements(gltf, json, place, layout, count, &view, diagnostic);

	if (!error) {
		error = jc_json_read_object(json, "sparse", place, &sparse, diagnostic);
	}
	if (error) {
		return error;
	}
	/* Without a buffer view all elements are zero (3.6.2.3). */
	values = calloc(count * components, sizeof(*values));
	if (!values) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; view.bytes && i < count; i++) {
		read_element(view.bytes + i * view.stride, layout, values + i * components);
	}
	if (sparse) {
		error = substitute(gltf, sparse, count, layout, place, values, diagnostic);
	}
	if (!error) {
		error = check_finite(values, count * components, place, diagnostic);
	}
	if (error) {
		free(values);
		return error;
	}
	*out_values = values;
	return JC_OK;
}

static int open_accessor(const struct jc_gltf *gltf, const struct jc_json_place *place,
	const json_t **out_json, struct layout *out_layout, size_t *out_count,
	struct jc_diagnostic *diagnostic)
{
	const json_t *json = json_array_get(json_object_get(gltf->root, "accessors"), place->index);
	int error;

	if (!json_is_object(json)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "accessors",
			"there is no accessor %d", (int)place->index);
	}
	error = read_header(json, place, out_layout, out_count, diagnostic);
	if (!error) {
		*out_json = json;
	}
	return error;
}

int jc_gltf_accessor_floats(const struct jc_gltf *gltf, int accessor, size_t *out_count,
	size_t *out_components, float **out_values, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "accessors" };
	struct jc_json_place place = { .outer = &list, .index = (size_t)accessor };
	const json_t *json = NULL;
	struct layout layout = { .element_size = 0 };
	size_t count = 0;
	int error = open_accessor(gltf, &place, &json, &layout, &count, diagnostic);

	if (!error) {
		error = read_values(gltf, json, &place, &layout, count, out_values, diagnostic);
	}
	if (!error) {
		*out_count = count;
		*out_components = layout.columns * layout.rows;
	}
	return error;
}

/* The views of an accessor; bytes are NULL where it has none. */
struct sources {
	struct layout layout;
	size_t count;
	struct jc_gltf_view elements;
	struct substitution substitution; /* count is 0 without one */
};

static int open_sources(const struct jc_gltf *gltf, const struct jc_json_place *place,
	struct sources *out_sources, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place sparse_place = { .outer = place, .key = "sparse" };
	struct sources s = { .count = 0 };
	const json_t *json = NULL, *sparse = NULL;
	int error = open_accessor(gltf, place, &json, &s.layout, &s.count, diagnostic);

	if (!error) {
		error = open_elements(
			gltf, json, place, &s.layout, s.count, &s.elements, diagnostic);
	}
	if (!error) {
		error = jc_json_read_object(json, "sparse", place, &sparse, diagnostic);
	}
	if (!error && sparse) {
		error = read_substitution(gltf, sparse, s.count, &s.layout, &sparse_place,
			&s.substitution, diagnostic);
	}
	if (!error) {
		*out_sources = s;
	}
	return error;
}

int jc_gltf_accessor_measure(const struct jc_gltf *gltf, int accessor,
	struct jc_gltf_accessor *out_accessor, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "accessors" };
	struct jc_json_place place = { .outer = &list, .index = (size_t)accessor };
	struct sources sources;
	int error = open_sources(gltf, &place, &sources, diagnostic);

	if (!error) {
		*out_accessor = (struct jc_gltf_accessor){
			.count = sources.count,
			.components = sources.layout.columns * sources.layout.rows,
			.size = sources.layout.element_size,
			.is_float = sources.layout.type == FLOAT,
			.is_index = !sources.layout.normalized &&
				    (sources.layout.type == UNSIGNED_BYTE ||
					    sources.layout.type == UNSIGNED_SHORT ||
					    sources.layout.type == UNSIGNED_INT),
		};
	}
	return error;
}

/* Widens the range to count elements. Returns whether all components are finite. */
static bool widen(const struct jc_gltf_view *view, const struct layout *layout, size_t count,
	struct jc_gltf_range *range)
{
	size_t components = layout->columns * layout->rows;
	float element[16];

	for (size_t i = 0; view->bytes && i < count; i++) {
		read_element(view->bytes + i * view->stride, layout, element);
		for (size_t j = 0; j < components; j++) {
			if (!isfinite(element[j])) {
				return false;
			}
			range->greatest = fmax(range->greatest, (double)element[j]);
		}
		for (size_t j = 0; components == 3 && j < 3; j++) {
			range->reach[j] = fmax(range->reach[j], fabs((double)element[j]));
		}
	}
	return true;
}

int jc_gltf_accessor_range(const struct jc_gltf *gltf, int accessor,
	struct jc_gltf_range *out_range, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place list = { .key = "accessors" };
	struct jc_json_place place = { .outer = &list, .index = (size_t)accessor };
	struct sources s;
	const struct substitution *sub = &s.substitution;
	struct jc_gltf_range range = { .greatest = 0.0 }, indices = { .greatest = 0.0 };
	int error = open_sources(gltf, &place, &s, diagnostic);

	if (error) {
		return error;
	}
	if (!widen(&s.elements, &s.layout, s.count, &range) ||
		!widen(&sub->values, &s.layout, sub->count, &range)) {
		return jc_json_refuse(
			diagnostic, JC_ERROR_INVALID, &place, "a value is not finite");
	}
	widen(&sub->indices, &sub->index_layout, sub->count, &indices);
	if (indices.greatest >= (double)s.count) {
		return jc_json_refuse(diagnostic, JC_ERROR_INVALID, &place,
			"a substituted element is out of range: the accessor has %zu elements",
			s.count);
	}
	if (s.layout.type == FLOAT) {
		range.greatest = 0.0;
	}
	*out_range = range;
	return JC_OK;
}
