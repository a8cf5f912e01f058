/* Writes an edited glTF document: merges all buffers into one. An added accessor takes
 * the place of one that lost its last user; buffer views that lost theirs are not copied. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf_edit.h"
#include "gltf_pack.h"
#include "jointcast/limits.h"

/* Maximum nesting that jansson reads. */
enum { DEEPEST = 2048 };

/* Reports an error of the edit or of a buffer. */
static int report(int error, struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, error, NULL,
		error == JC_ERROR_LIMIT     ? "the file would be too large"
		: error == JC_ERROR_INVALID ? "a part of the file is of the wrong type"
					    : "out of memory");
}

/* Calls visit for every place that refers to an accessor. */
struct client_address {
	void (*visit)(struct client_address *client_address, json_t *holder, const char *key,
		size_t index);
	size_t *uses;   /* by accessor */
	size_t *places; /* by accessor: its new index */
	size_t count;
};

static void visit_field(struct client_address *client_address, json_t *holder, const char *key)
{
	json_t *value = json_object_get(holder, key);

	if (json_is_integer(value) && json_integer_value(value) >= 0 &&
		(size_t)json_integer_value(value) < client_address->count) {
		client_address->visit(
			client_address, holder, key, (size_t)json_integer_value(value));
	}
}

/* Visits every field of an object of attributes. */
static void visit_attributes(struct client_address *client_address, json_t *attributes)
{
	const char *key;
	json_t *value;

	json_object_foreach(attributes, key, value)
	{
		visit_field(client_address, attributes, key);
	}
}

static void visit_mesh(struct client_address *client_address, json_t *mesh)
{
	json_t *primitive, *target;
	size_t i, t;

	json_array_foreach(json_object_get(mesh, "primitives"), i, primitive)
	{
		visit_attributes(client_address, json_object_get(primitive, "attributes"));
		visit_field(client_address, primitive, "indices");
		json_array_foreach(json_object_get(primitive, "targets"), t, target)
		{
			visit_attributes(client_address, target);
		}
	}
}

static void visit_accessors(struct client_address *client_address, json_t *root)
{
	json_t *item, *sampler;
	size_t i, s;

	json_array_foreach(json_object_get(root, "meshes"), i, item)
	{
		visit_mesh(client_address, item);
	}
	json_array_foreach(json_object_get(root, "skins"), i, item)
	{
		visit_field(client_address, item, "inverseBindMatrices");
	}
	json_array_foreach(json_object_get(root, "animations"), i, item)
	{
		json_array_foreach(json_object_get(item, "samplers"), s, sampler)
		{
			visit_field(client_address, sampler, "input");
			visit_field(client_address, sampler, "output");
		}
	}
	json_array_foreach(json_object_get(root, "nodes"), i, item)
	{
		visit_attributes(client_address,
			json_object_get(json_object_get(json_object_get(item, "extensions"),
						"EXT_mesh_gpu_instancing"),
				"attributes"));
	}
}

static void count_use(
	struct client_address *client_address, json_t *holder, const char *key, size_t index)
{
	(void)holder;
	(void)key;
	client_address->uses[index]++;
}

static void renumber(
	struct client_address *client_address, json_t *holder, const char *key, size_t index)
{
	if (client_address->places[index] != index) {
		json_integer_set(
			json_object_get(holder, key), (json_int_t)client_address->places[index]);
	}
}

/* Moves added accessors into the places of accessors that had users before the change and
 * have none now. */
static int reuse_accessors(struct jc_gltf_edit *edit)
{
	json_t *accessors = jc_gltf_edit_array(edit, "accessors");
	size_t count = json_array_size(accessors);
	size_t end = count;
	size_t *before = calloc(count + 1, sizeof(*before));
	size_t *now = calloc(count + 1, sizeof(*now));
	size_t *places = calloc(count + 1, sizeof(*places));
	struct client_address client_address = { count_use, before, places, count };
	int error = before && now && places ? JC_OK : JC_ERROR_MEMORY;

	if (!error && edit->gltf) {
		visit_accessors(&client_address, (json_t *)jc_gltf_json(edit->gltf));
	}
	if (!error) {
		client_address.uses = now;
		visit_accessors(&client_address, edit->root);
		for (size_t i = 0; i < count; i++) {
			places[i] = i;
		}
		for (size_t i = 0; i < edit->accessors && end > edit->accessors; i++) {
			if (before[i] && !now[i]) {
				places[--end] = i;
				json_array_set(accessors, i, json_array_get(accessors, end));
			}
		}
		while (json_array_size(accessors) > end) {
			json_array_remove(accessors, json_array_size(accessors) - 1);
		}
		client_address.visit = renumber;
		visit_accessors(&client_address, edit->root);
	}
	if (json_array_size(accessors) == 0) {
		json_object_del(edit->root, "accessors");
	}
	free(before);
	free(now);
	free(places);
	return error;
}

/* State of a walk over buffer views: the first finds those in use, the second renumbers
 * them. */
struct views {
	size_t count;
	bool *is_used;
	size_t *places; /* NULL during the first walk */
};

static void walk_views(json_t *json, const char *key, struct views *views, int depth)
{
	const char *name;
	json_t *value;
	size_t i;

	if (depth > DEEPEST) {
		return;
	}
	if (json_is_integer(json) && key && strcmp(key, "bufferView") == 0 &&
		json_integer_value(json) >= 0 && (size_t)json_integer_value(json) < views->count) {
		size_t view = (size_t)json_integer_value(json);

		views->is_used[view] = true;
		if (views->places) {
			json_integer_set(json, (json_int_t)views->places[view]);
		}
	}
	json_object_foreach(json, name, value)
	{
		walk_views(value, name, views, depth + 1);
	}
	json_array_foreach(json, i, value)
	{
		walk_views(value, NULL, views, depth + 1);
	}
}

/* Finds the bytes of a buffer view. */
static int find_bytes(const struct jc_gltf_edit *edit, const json_t *view, const char **out_bytes,
	size_t *out_length, struct jc_diagnostic *diagnostic)
{
	json_int_t buffer = json_integer_value(json_object_get(view, "buffer"));
	json_int_t offset = json_integer_value(json_object_get(view, "byteOffset"));
	json_int_t length = json_integer_value(json_object_get(view, "byteLength"));
	size_t old = edit->gltf ? jc_gltf_buffer_count(edit->gltf) : 0;
	const void *bytes = edit->added.bytes;
	size_t whole = edit->added.length;
	int error = JC_OK;

	if (buffer < 0 || (size_t)buffer > old) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, "bufferViews", "a buffer does not exist");
	}
	if ((size_t)buffer < old) {
		error = jc_gltf_buffer(edit->gltf, (size_t)buffer, &bytes, &whole, diagnostic);
	}
	if (error) {
		return error;
	}
	if (offset < 0 || length < 0 || (size_t)offset > whole ||
		(size_t)length > whole - (size_t)offset) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, "bufferViews",
			"a buffer view ends after its buffer");
	}
	*out_bytes = (const char *)bytes + offset;
	*out_length = (size_t)length;
	return JC_OK;
}

/* The buffers of the new file. */
struct buffers {
	struct jc_file_buffer bytes;
	struct jc_gltf_fallback fallback; /* of views that are compressed with meshopt */
};

/* The part of a view that locates its compressed bytes, NULL without compression. */
static json_t *find_compressed(const json_t *view, const char **out_extension)
{
	static const char *const names[] = { "EXT_meshopt_compression", "KHR_meshopt_compression" };
	json_t *extensions = json_object_get(view, "extensions");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (json_is_object(json_object_get(extensions, names[i]))) {
			*out_extension = names[i];
			return json_object_get(extensions, names[i]);
		}
	}
	return NULL;
}

static void set_place(struct jc_gltf_edit *edit, json_t *view, int buffer, size_t offset)
{
	jc_gltf_edit_set(edit, view, "buffer", json_integer(buffer));
	jc_gltf_edit_set(edit, view, "byteOffset", json_integer((json_int_t)offset));
}

/* Gives a compressed view a place in the fallback buffer, which has no bytes. */
static int place_fallback(struct jc_gltf_edit *edit, json_t *view, size_t compressed,
	struct jc_gltf_fallback *fallback, struct jc_diagnostic *diagnostic)
{
	json_int_t length = json_integer_value(json_object_get(view, "byteLength"));

	if (compressed < 1 || length < 1 || length > JC_LIMIT_FILE_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, "bufferViews",
			"a compressed buffer view is empty or too long");
	}
	set_place(edit, view, 1, fallback->length);
	fallback->length += ((size_t)length + 3) / 4 * 4;
	return JC_OK;
}

static int copy_view(struct jc_gltf_edit *edit, json_t *view, struct buffers *buffers,
	struct jc_diagnostic *diagnostic)
{
	json_t *compressed = find_compressed(view, &buffers->fallback.extension);
	json_t *source = compressed ? compressed : view;
	const char *bytes = NULL;
	size_t length = 0;
	int error = find_bytes(edit, source, &bytes, &length, diagnostic);

	if (!error && compressed) {
		error = place_fallback(edit, view, length, &buffers->fallback, diagnostic);
	}
	if (error) {
		return error;
	}
	set_place(edit, source, 0, buffers->bytes.length);
	jc_file_buffer_put(&buffers->bytes, bytes, length);
	jc_file_buffer_put(&buffers->bytes, "\0\0\0", -length & 3);
	error = buffers->bytes.error ? buffers->bytes.error : edit->error;
	return error ? report(error, diagnostic) : JC_OK;
}

/* Copies the buffer views in use one after the other. */
static int merge_buffers(
	struct jc_gltf_edit *edit, struct buffers *buffers, struct jc_diagnostic *diagnostic)
{
	json_t *all = jc_gltf_edit_array(edit, "bufferViews");
	struct views views = { .count = json_array_size(all) }, before = views;
	size_t *places = calloc(views.count + 1, sizeof(*places));
	json_t *kept = json_array();
	int error = JC_OK;

	views.is_used = calloc(views.count + 1, sizeof(*views.is_used));
	before.is_used = calloc(views.count + 1, sizeof(*before.is_used));
	if (!places || !views.is_used || !before.is_used || !kept) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	if (edit->gltf) {
		walk_views((json_t *)jc_gltf_json(edit->gltf), NULL, &before, 0);
	}
	walk_views(edit->root, NULL, &views, 0);
	for (size_t i = 0; i < views.count && !error; i++) {
		/* Extensions may refer to a view in a way of their own. */
		if (views.is_used[i] || !before.is_used[i]) {
			places[i] = json_array_size(kept);
			json_array_append(kept, json_array_get(all, i));
			error = copy_view(edit, json_array_get(all, i), buffers, diagnostic);
		}
	}
	if (error) {
		goto out;
	}
	views.places = places;
	walk_views(edit->root, NULL, &views, 0);
	if (json_array_size(kept)) {
		json_object_set(edit->root, "bufferViews", kept);
	} else {
		json_object_del(edit->root, "bufferViews");
	}
	json_object_del(edit->root, "buffers");
out:
	json_decref(kept);
	free(places);
	free(views.is_used);
	free(before.is_used);
	return error;
}

int jc_gltf_edit_write(struct jc_gltf_edit *edit, bool is_binary, struct jc_written *out_file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_file_buffer document = { 0 };
	struct buffers buffers = { .fallback = { .extension = NULL } };
	int error = edit->error;
	char *text = NULL;

	if (!error) {
		error = reuse_accessors(edit);
	}
	if (error) {
		return report(error, diagnostic);
	}
	error = merge_buffers(edit, &buffers, diagnostic);
	if (error) {
		goto out;
	}
	text = json_dumps(edit->root, JSON_COMPACT);
	if (!text) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	jc_file_buffer_put(&document, text, strlen(text) - 1); /* jc_gltf_pack closes the object */
	error = jc_gltf_pack(&document, buffers.bytes.bytes, buffers.bytes.length, buffers.fallback,
		is_binary, out_file, diagnostic);
out:
	free(text);
	free(buffers.bytes.bytes);
	return error;
}
