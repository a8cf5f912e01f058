/* H-Anim figures of a scene: H-Anim 1.0 and 1.1 (PROTO Joint, PROTO HAnimJoint),
 * H-Anim 2.0 and X3D (native HAnimJoint), as defined by ISO/IEC 19774 and the
 * 1.0 specification of the Humanoid Animation Working Group.
 *
 * Rotations and translations of joints in the file are a pose, not the rest. At rest every joint's
 * frame is parallel to the humanoid's and the joints are at their centers, arms hanging down
 * (I-pose). */
#ifndef JC_PRIVATE_HANIM_H
#define JC_PRIVATE_HANIM_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/bone_map.h"
#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/lint.h"
#include "jointcast/skeleton.h"
#include "jointcast_private/scene.h"

/* Vertebrae by rising order: vl5 is 0, vl1 4, vt12 5, vt1 16, vc7 17, vc1 23. */
#define JC_HANIM_VERTEBRA_COUNT 24

/* A joint, in depth-first file order, parents first. Joints that drive no bone are included:
 * vertebrae between the anchors, sacroiliac and metacarpals, which can share a bone's rotation, and
 * joints outside of the standard, such as a tail, which are not posed. */
struct jc_hanim_joint {
	const char *name;                 /* its name field, else its DEF without the prefix */
	const struct jc_scene_node *node; /* what routes point at */
	int parent;                       /* the nearest joint above, or -1 */
	int skeleton_node;                /* index in nodes */
	bool is_standard;                 /* the name is one of H-Anim's */
	enum jc_bone bone;                /* driven bone, or JC_BONE_NONE */
	int vertebra;                     /* 0 .. JC_HANIM_VERTEBRA_COUNT - 1, or -1 */
	struct jc_vec3 center;            /* humanoid coordinates, file units */
	/* llimit and ulimit, radians about the axes of limit_orientation. All
	 * six zero means unspecified; one pair of zeros is a locked axis. */
	bool has_limits, has_stiffness;
	struct jc_vec3 lower_limit, upper_limit;
	struct jc_quat limit_orientation;
	struct jc_vec3 stiffness; /* 0 free .. 1 stiff */
};

/* One figure. Names and nodes are borrowed from the scene. */
struct jc_hanim {
	const char *name;    /* of the humanoid; may be "" */
	const char *version; /* "1.0", "1.1", "2.0"; else that of info, else "" */
	size_t info_count;
	const char *const *info; /* "tag=value" */
	size_t joint_count;
	struct jc_hanim_joint *joints;
	double mass;          /* of all segments, kilograms; 0 if unknown */
	size_t segment_count; /* those with mass, center or inertia */
	struct jc_skeleton_segment *segments;
	/* Nodes of the skeleton: node 0 is the humanoid with its transform in the scene, scale and
	 * unit of length applied; the others are the joints. */
	size_t node_count;
	struct jc_skeleton_node *nodes;
	int bones[JC_BONE_COUNT];                  /* node index or -1 */
	struct jc_quat facing;                     /* rotation of the humanoid in the scene */
	struct jc_quat corrections[JC_BONE_COUNT]; /* I-pose to T-pose, humanoid axes */
	/* Sites (tag "site") and viewpoints (tag "viewpoint"). */
	size_t virtual_transform_count;
	struct jc_virtual_transform *virtual_transforms;
	size_t limit_count; /* joints that have limits */
	struct jc_joint_limit *limits;
	size_t humanoid_count; /* in the whole scene */
};

/* Reads the figure of that index: those of a Group DEF HumanoidGroup first,
 * then the others in file order, then joints named HumanoidRoot that belong to
 * no Humanoid node. JC_ERROR_NO_HUMANOID if there is none or no joint has an
 * H-Anim name. The scene must outlive the figure. A figure in the body of a PROTO counts once,
 * without the fields that IS connects; lint then holds a warning.
 *
 * A joint is identified by its name field, else by its DEF without the common prefix of the
 * humanoid's joints. If several names map to one bone, the first joint is used. hips is
 * HumanoidRoot, without one the single top joint. vl5 is spine, vl1 chest, vt6 upperChest, vc7
 * neck; where one of them is missing, the nearest vertebra that no other bone has, in this order:
 *   spine       vl4 vl3 vl2
 *   chest       vt12 vt11 vt10 vt9 vt8 vt7
 *   upperChest  vt5 vt4 vt3 vt2 vt1, then vt7 .. vt12 above the chest
 *   neck        vc6 vc5 vc4 vc3 vc2 vc1
 * Toes are midtarsal (2.0: metatarsophalangeal_2), without it metatarsal. */
int jc_hanim_read(const struct jc_scene *scene, size_t index, struct jc_hanim **out_hanim,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic);

/* The same with the bones of a map instead of those by name; map may be NULL. */
int jc_hanim_read_mapped(const struct jc_scene *scene, size_t index, const struct jc_bone_map *map,
	struct jc_hanim **out_hanim, struct jc_lint *lint, struct jc_diagnostic *diagnostic);
void jc_hanim_destroy(struct jc_hanim *hanim);

/* The input of jc_skeleton_create for the figure; borrowed from the figure. */
void jc_hanim_describe(
	const struct jc_hanim *hanim, struct jc_skeleton_description *out_description);

/* The skeleton of a figure; it owns its data. */
int jc_hanim_skeleton(const struct jc_hanim *hanim, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic);

/* Spelling of names: that of 1.0 and 1.1, or that of 2.0 and X3D. */
enum jc_hanim_spelling {
	JC_HANIM_SPELLING_1,
	JC_HANIM_SPELLING_2,
};

struct jc_hanim_label {
	char joint[48];
	char segment[48]; /* segment of the joint */
};

/* Labels of the joint with that name in any version; false if unknown. Joints without a name in 1.x
 * keep that of 2.0. */
bool jc_hanim_label_joint(
	const char *name, enum jc_hanim_spelling spelling, struct jc_hanim_label *out_label);

/* Labels of the joint that drives a bone: vl5, vl1, vt6 and vc7 in the trunk. */
void jc_hanim_label_bone(
	enum jc_bone bone, enum jc_hanim_spelling spelling, struct jc_hanim_label *out_label);

#endif
