/* A document that is being re-rested, and the definition of its skeleton. */
#ifndef JC_MOTION_REREST_DOCUMENT_H
#define JC_MOTION_REREST_DOCUMENT_H

#include "gltf/gltf_edit.h"
#include "jointcast/skeleton.h"
#include "rerest_meshes.h"
#include "rerest_plan.h"

struct jc_rerest_document {
	struct jc_gltf_edit edit;
	const struct jc_skeleton *skeleton;
	size_t index;
	struct jc_rerest_plan plan;
	struct json_t *nodes; /* borrowed from the document */
	int *moved;           /* by node: where its mesh was moved, or -1; owned */
	struct jc_rerest_copies copies;
	bool *is_joint; /* by node: whether a skin of the file lists it; owned */
	struct jc_lint *lint;
	struct jc_diagnostic *diagnostic;
};

/* _node appends a node (stolen) and returns its index; _child adds a child to a node. */
int jc_rerest_document_append_node(struct jc_rerest_document *document, struct json_t *node);
void jc_rerest_document_append_child(
	struct jc_rerest_document *document, struct json_t *node, int child);

/* Sets the transform of a node; leaves out default values. */
void jc_rerest_document_place(
	struct jc_rerest_document *document, struct json_t *node, struct jc_transform transform);

/* The nearest node above all bones; added if absent. */
int jc_rerest_document_root(struct jc_rerest_document *document);

/* Writes EXT_skeleton_humanoid: its root, the bones, and a skin for bones that are joints of no
 * other skin. */
int jc_rerest_document_define(struct jc_rerest_document *document, int root);

#endif
