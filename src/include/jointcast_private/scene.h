/* Scene graphs as one plain value for three syntaxes: VRML97 (ISO/IEC 14772-1),
 * X3D Classic VRML and X3D XML (ISO/IEC 19776), each plain or gzipped. Syntax
 * only: all node types are accepted; hanim.h interprets humanoids. */
#ifndef JC_PRIVATE_SCENE_H
#define JC_PRIVATE_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "jointcast/types.h"

enum jc_scene_kind {
	JC_SCENE_EMPTY, /* [ ], NULL or an empty attribute */
	JC_SCENE_NUMBERS,
	JC_SCENE_BOOLEANS,
	JC_SCENE_STRINGS,
	JC_SCENE_NODES,
};

struct jc_scene_node;

/* The values of one field, typed by how they are written. X3D XML writes every
 * value as one attribute, so a number or a boolean there may have been meant as
 * text: such a field holds the text too, as its only string, where that fits
 * JC_LIMIT_NAME_BYTES. */
struct jc_scene_field {
	const char *name;
	enum jc_scene_kind kind;
	size_t number_count;
	const double *numbers; /* finite; booleans as 1 and 0 */
	size_t string_count;
	const char *const *strings;
	size_t node_count;
	struct jc_scene_node *const *nodes;
	/* Values that stood in the file and are not kept: arrays of geometry
	 * longer than JC_LIMIT_SCENE_PLAIN_VALUES and strings longer than
	 * JC_LIMIT_SCENE_STRING_BYTES. Interpolators and nodes of H-Anim keep
	 * all their numbers. */
	size_t omitted;
};

/* A node type declared in the file. Bodies are not expanded into instances: an
 * IS connection leaves the body's field unset, and is_connected is then true. */
struct jc_scene_proto {
	const char *name;
	const struct jc_scene_node *interface; /* its fields are the default values */
	const struct jc_scene_node *body;      /* first node of the body; NULL for EXTERNPROTO */
	bool is_connected; /* IS connects fields of the interface, not only events, to the body */
};

struct jc_scene_node {
	const char *type;
	const char *def;                    /* "" if absent */
	const struct jc_scene_proto *proto; /* of an instance; NULL for other nodes */
	size_t index;                       /* 0 .. node_count - 1, each node its own */
	unsigned line;
	/* Levels of nodes below it, itself and what its PROTO declares included:
	 * at most JC_LIMIT_DEPTH. */
	unsigned height;
	size_t field_count;
	const struct jc_scene_field *fields; /* as given; see jc_scene_field() */
};

/* ROUTE from.from_field TO to.to_field; both nodes exist. */
struct jc_scene_route {
	const struct jc_scene_node *from, *to;
	const char *from_field, *to_field;
};

/* USE shares nodes, so a scene is an acyclic graph: walks must mark visited nodes, because a small
 * file can have exponentially many paths. */
struct jc_scene {
	enum jc_scene_syntax syntax;
	double metres_per_unit; /* UNIT length; 1 by default */
	size_t node_count;
	size_t root_count;
	struct jc_scene_node *const *roots; /* in file order */
	size_t route_count;
	const struct jc_scene_route *routes; /* in file order, those of PROTO bodies too */
	struct jc_scene_memory *memory;      /* holds all of the above */
};

/* Whether the bytes begin like a file of these syntaxes (or like gzip). */
bool jc_scene_is(const void *bytes, size_t length);

/* Reads a whole file. Routes to nothing are reported in lint (may be NULL);
 * diagnostics name the line. On success *out_scene is the caller's. */
int jc_scene_read(const void *bytes, size_t length, struct jc_scene **out_scene,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_scene_destroy(struct jc_scene *scene);

/* The field of that name: the node's own, else the default of its PROTO, else
 * NULL. */
const struct jc_scene_field *jc_scene_field(const struct jc_scene_node *node, const char *name);

/* Its first string, or fallback where it has none. */
const char *jc_scene_string(
	const struct jc_scene_node *node, const char *name, const char *fallback);

/* Its first count numbers; false, with out_numbers untouched, where it has
 * fewer. */
bool jc_scene_numbers(
	const struct jc_scene_node *node, const char *name, size_t count, double *out_numbers);

/* Its nodes; 0 where it has none. */
size_t jc_scene_nodes(const struct jc_scene_node *node, const char *name,
	struct jc_scene_node *const **out_nodes);

#endif
