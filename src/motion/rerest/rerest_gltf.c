/* Writes a re-rested figure as glTF: nodes in their new rest, attachments of bones on new
 * child nodes, and EXT_skeleton_humanoid. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "gltf/gltf_info.h"
#include "gltf/gltf_virtual.h"
#include "jointcast/rerest.h"
#include "jointcast/transform.h"
#include "rerest_animations.h"
#include "rerest_character.h"
#include "rerest_constraints.h"
#include "rerest_document.h"
#include "rerest_meshes.h"
#include "rerest_plan.h"
#include "rerest_vrm.h"
#include "write_losses.h"

/* Makes nodes for a skeleton that is not from a glTF file. */
static void make_nodes(struct jc_rerest_document *document)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(document->skeleton);
	json_t *scene = json_array_get(json_object_get(document->edit.root, "scenes"), 0);

	for (size_t i = 0; i < document->plan.count; i++) {
		json_t *node = json_object();

		jc_gltf_edit_append(&document->edit, document->nodes, node);
		if (nodes[i].name[0]) {
			jc_gltf_edit_set(&document->edit, node, "name", json_string(nodes[i].name));
		}
	}
	for (size_t i = 0; i < document->plan.count; i++) {
		if (nodes[i].parent >= 0) {
			jc_rerest_document_append_child(document,
				json_array_get(document->nodes, (size_t)nodes[i].parent), (int)i);
		} else {
			jc_gltf_edit_append(&document->edit, json_object_get(scene, "nodes"),
				json_integer((json_int_t)i));
		}
	}
}

/* Takes the extensions that have a place from a node; NULL if it has none. A constraint drives the
 * node itself, and visibility counts for all below it. */
static json_t *take_extensions(struct jc_rerest_document *document, json_t *node)
{
	static const char *const fixed[] = { "VRMC_node_constraint", "KHR_node_visibility",
		"KHR_node_selectability", "KHR_node_hoverability" };
	json_t *extensions = json_object_get(node, "extensions");
	json_t *taken, *kept;

	if (!extensions) {
		return NULL;
	}
	taken = json_copy(extensions);
	kept = json_object();
	if (!taken || !kept) {
		document->edit.error = JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		json_t *extension = json_object_get(extensions, fixed[i]);

		if (extension) {
			jc_gltf_edit_set(&document->edit, kept, fixed[i], json_incref(extension));
			json_object_del(taken, fixed[i]);
		}
	}
	json_object_del(node, "extensions");
	if (json_object_size(kept)) {
		jc_gltf_edit_set(&document->edit, node, "extensions", kept);
	} else {
		json_decref(kept);
	}
	if (json_object_size(taken)) {
		return taken;
	}
	json_decref(taken);
	return NULL;
}

/* Moves attachments of a node to a child with the old transform of the node: a mesh
 * without a skin, a camera, and extensions. */
static void move_attachments(struct jc_rerest_document *document, size_t index)
{
	static const char *const fields[] = { "mesh", "weights", "camera" };
	json_t *node = json_array_get(document->nodes, index);
	struct jc_mat4 local = jc_mat4_multiply(jc_mat4_invert(document->plan.after[index]),
		jc_mat4_multiply(
			jc_mat4_compose((struct jc_transform){
				.rotation = document->plan.turn, .scale = { 1.0f, 1.0f, 1.0f } }),
			document->plan.before[index]));
	struct jc_transform place = JC_TRANSFORM_IDENTITY;
	json_t *child, *extensions;

	if (json_object_get(node, "skin") || !document->plan.is_carrier[index]) {
		return;
	}
	extensions = take_extensions(document, node);
	if (!json_object_get(node, "mesh") && !json_object_get(node, "camera") && !extensions) {
		return;
	}
	child = json_object();
	if (extensions) {
		jc_gltf_edit_set(&document->edit, child, "extensions", extensions);
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		json_t *value = json_object_get(node, fields[i]);

		if (value) {
			jc_gltf_edit_set(&document->edit, child, fields[i], json_incref(value));
			json_object_del(node, fields[i]);
		}
	}
	if (json_is_string(json_object_get(node, "name"))) {
		jc_gltf_edit_set(&document->edit, child, "name",
			json_sprintf(
				"%s (attached)", json_string_value(json_object_get(node, "name"))));
	}
	jc_mat4_decompose(local, &place, NULL);
	jc_rerest_document_place(document, child, place);
	document->moved[index] = jc_rerest_document_append_node(document, child);
	jc_rerest_document_append_child(document, node, document->moved[index]);
}

/* Whether a node that keeps its world transform cannot store it. */
static bool is_sheared(const struct jc_rerest_document *document, int node)
{
	int parent = jc_skeleton_nodes(document->skeleton)[node].parent;
	struct jc_mat4 local = document->plan.after[node];
	struct jc_transform ignored;
	float shear = 0.0f;

	if (parent >= 0) {
		local = jc_mat4_multiply(jc_mat4_invert(document->plan.after[parent]), local);
	}
	return jc_mat4_decompose(local, &ignored, &shear) && shear > 1e-3f;
}

/* A skinned mesh is placed by its joints, not by its node ("Skins"): such a node without
 * children or other attachments needs no transform. */
static bool is_skinned_only(const struct jc_rerest_document *document, size_t index)
{
	const json_t *node = json_array_get(document->nodes, index);

	return json_object_get(node, "skin") && json_object_get(node, "mesh") &&
	       !json_object_get(node, "children") && !json_object_get(node, "camera") &&
	       !json_object_get(node, "extensions") && !document->plan.is_carrier[index] &&
	       !document->is_joint[index];
}

static void place_nodes(struct jc_rerest_document *document)
{
	size_t sheared = 0;

	for (size_t i = 0; i < document->plan.count; i++) {
		sheared += is_sheared(document, (int)i);
		jc_rerest_document_place(document, json_array_get(document->nodes, i),
			is_skinned_only(document, i) ? JC_TRANSFORM_IDENTITY
						     : document->plan.locals[i]);
	}
	if (sheared) {
		jc_lint_add(document->lint, JC_WARNING, "uneven-scale",
			"%zu nodes were sheared by uneven scales above them; they are straightened",
			sheared);
	}
	for (size_t i = 0; i < document->plan.count; i++) {
		move_attachments(document, i);
	}
}

static void write_virtual(struct jc_rerest_document *document, json_t *list, size_t index)
{
	struct jc_virtual_transform virtual = jc_skeleton_virtual_transforms(
		document->skeleton)[index];

	jc_rerest_plan_virtual(&document->plan, &virtual);
	jc_gltf_edit_append(&document->edit, list, jc_gltf_virtual_json(&virtual));
}

/* Writes virtual transforms under the name of the specification; virtual transforms of
 * other skeletons in the file are removed. */
static void write_virtuals(struct jc_rerest_document *document)
{
	struct jc_gltf_edit *edit = &document->edit;
	size_t count = jc_skeleton_virtual_transform_count(document->skeleton);
	json_t *extensions = jc_gltf_edit_object(edit, edit->root, "extensions");

	json_object_del(extensions, "KHR_virtual_transform");
	json_object_del(extensions, "KHR_virtual_transforms");
	jc_gltf_edit_forget_extension(edit, "KHR_virtual_transform");
	jc_gltf_edit_forget_extension(edit, "KHR_virtual_transforms");
	if (count) {
		json_t *extension = jc_gltf_edit_object(edit, extensions, "KHR_virtual_transform");

		jc_gltf_edit_set(edit, extension, "virtualTransforms", json_array());
		for (size_t i = 0; i < count; i++) {
			write_virtual(document, json_object_get(extension, "virtualTransforms"), i);
		}
		jc_gltf_edit_use_extension(edit, "KHR_virtual_transform");
	}
}

/* Reports images in separate files, which must be beside the output. */
static void report_images(struct jc_rerest_document *document)
{
	const json_t *images = json_object_get(document->edit.root, "images");
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(images); i++) {
		const char *uri =
			json_string_value(json_object_get(json_array_get(images, i), "uri"));

		count += uri && strncmp(uri, "data:", 5) != 0;
	}
	if (count) {
		jc_lint_add(document->lint, JC_WARNING, "images-beside",
			"%zu images are separate files: they must be beside this one", count);
	}
}

/* Converts everything that refers to the file that was read. */
static int convert_document(struct jc_rerest_document *document)
{
	bool relative =
		jc_skeleton_format(document->skeleton) == JC_SKELETON_EXT && document->index == 0;
	int error = jc_rerest_meshes(&document->edit, document->skeleton, &document->plan,
		&document->copies, document->diagnostic);

	if (!error) {
		error = jc_rerest_constraints(document);
	}
	report_images(document);
	place_nodes(document);
	if (!error) {
		error = jc_rerest_vrm(document);
	}
	if (!error) {
		error = jc_rerest_animations(&document->edit, document->skeleton, &document->plan,
			document->moved, relative, document->lint, document->diagnostic);
	}
	return error;
}

/* Reports manual offsets, which only a descriptor can store. */
static void report_offsets(struct jc_rerest_document *document)
{
	size_t count = 0;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_quat offset = jc_skeleton_offset(document->skeleton, (enum jc_bone)b);

		count += jc_quat_angle(offset, JC_QUAT_IDENTITY) > 0.0f;
	}
	if (count) {
		jc_lint_add(document->lint, JC_WARNING, "left-out",
			"offsets of %zu bones are left out: glTF cannot store them, a descriptor "
			"(.json) can",
			count);
	}
}

static void list_joints(struct jc_rerest_document *document)
{
	const struct jc_gltf *gltf = document->edit.gltf;

	for (size_t s = 0; gltf && s < jc_gltf_skin_count(gltf); s++) {
		for (size_t j = 0; j < jc_gltf_skins(gltf)[s].joint_count; j++) {
			document->is_joint[jc_gltf_skins(gltf)[s].joints[j]] = true;
		}
	}
}

static int rerest(struct jc_rerest_document *document, bool has_drafts)
{
	json_t *asset;
	int error = JC_OK;
	int root;

	if (document->edit.gltf) {
		error = convert_document(document);
	} else {
		make_nodes(document);
		place_nodes(document);
	}
	if (error) {
		return error;
	}
	write_virtuals(document);
	report_offsets(document);
	asset = jc_gltf_edit_object(&document->edit, document->edit.root, "asset");
	jc_gltf_edit_set(&document->edit, asset, "generator", json_string("jointcast lint --fix"));
	if (jc_gltf_info_set(asset, jc_skeleton_facts(document->skeleton))) {
		return jc_diagnose(document->diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	jc_write_losses_report_body(document->skeleton, document->lint);
	if (document->plan.is_vrm0 && !has_drafts) {
		return JC_OK;
	}
	root = jc_rerest_document_root(document);
	error = document->plan.is_vrm0 ? JC_OK : jc_rerest_document_define(document, root);
	if (!error && has_drafts) {
		jc_rerest_character(document, root);
	}
	return error;
}

static int rerest_file(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	const struct jc_gltf *gltf, size_t index, bool is_binary, bool has_drafts,
	struct jc_written *out_file, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_rerest_document document = {
		.skeleton = skeleton,
		.index = index,
		.moved = calloc(count + 1, sizeof(*document.moved)),
		.is_joint = calloc(count + 1, sizeof(*document.is_joint)),
		.lint = lint,
		.diagnostic = diagnostic,
	};
	int error;

	assert(!gltf || jc_gltf_node_count(gltf) == count);
	error = jc_rerest_plan_init(&document.plan, skeleton,
		(struct jc_rerest_goal){
			.axes = axes,
			.is_vrm0 = gltf && jc_skeleton_format(skeleton) == JC_SKELETON_VRM0,
		},
		lint, diagnostic);
	if (error) {
		free(document.moved);
		free(document.is_joint);
		return error;
	}
	if (!document.moved || !document.is_joint || jc_gltf_edit_init(&document.edit, gltf)) {
		error = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		document.moved[i] = -1;
	}
	list_joints(&document);
	document.nodes = jc_gltf_edit_array(&document.edit, "nodes");
	error = rerest(&document, has_drafts);
	if (!error) {
		error = jc_gltf_edit_write(&document.edit, is_binary, out_file, diagnostic);
	}
out:
	jc_gltf_edit_finish(&document.edit);
	jc_rerest_plan_finish(&document.plan);
	free(document.moved);
	free(document.is_joint);
	return error;
}

int jc_rerest_gltf(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	const struct jc_gltf *gltf, size_t index, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return rerest_file(
		skeleton, axes, gltf, index, is_binary, false, out_file, lint, diagnostic);
}

int jc_rerest_gltf_with_drafts(const struct jc_skeleton *skeleton, enum jc_bone_axes axes,
	const struct jc_gltf *gltf, size_t index, bool is_binary, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	return rerest_file(
		skeleton, axes, gltf, index, is_binary, true, out_file, lint, diagnostic);
}
