/* Internals shared by the files of the scene builder: its stacks and their growth. */
#ifndef JC_FORMAT_SCENE_PARTS_H
#define JC_FORMAT_SCENE_PARTS_H

#include "scene_builder.h"

/* A node whose end has not been read. The top of a file, of a PROTO interface and of a PROTO
 * body count as nodes too. */
struct jc_scene_open {
	struct jc_scene_node *node;
	size_t first_field, first_child; /* in the builder's stacks */
	unsigned height;                 /* of the highest node in it */
	bool keeps_arrays;
};

struct jc_scene_child {
	const char *field;
	struct jc_scene_node *node;
};

int jc_scene_out_of_memory(struct jc_scene_builder *builder);

/* Makes room for one more item, as jc_array_grow. The caller checks limits. */
int jc_scene_reserve(
	struct jc_scene_builder *builder, void *array, size_t *capacity, size_t count, size_t size);

/* Memory of the scene, or NULL with the diagnostic filled; never NULL for no
 * items. */
void *jc_scene_take(struct jc_scene_builder *builder, size_t size);
void *jc_scene_copy(struct jc_scene_builder *builder, const void *items, size_t count, size_t size);

int jc_scene_intern(struct jc_scene_builder *builder, struct jc_span text, const char **out_name);

struct jc_scene_open *jc_scene_top(struct jc_scene_builder *builder);

/* Opens a node for the top of a file, interface or body. */
int jc_scene_open_hidden(struct jc_scene_builder *builder, const char *type);

/* The pending field of that name of the open node. */
int jc_scene_place_field(
	struct jc_scene_builder *builder, const char *name, struct jc_scene_field **out_field);

int jc_scene_open_scope(struct jc_scene_builder *builder, struct jc_scene_proto *declaring);
void jc_scene_close_scope(struct jc_scene_builder *builder);

/* The latest definition of a name is the one that counts. */
int jc_scene_define_node(struct jc_scene_builder *builder, struct jc_scene_node *node);

/* The visible prototype with this name, or NULL. */
const struct jc_scene_proto *jc_scene_find_proto(
	struct jc_scene_builder *builder, const char *type);

/* Whether the current node is in the interface or body of the prototype. */
bool jc_scene_is_declaring(const struct jc_scene_builder *builder, const char *type);

#endif
