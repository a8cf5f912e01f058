/* Plain values shared by all modules.
 *
 * Conventions of all headers: right-handed, +Y up, metres, radians, quaternions
 * (x, y, z, w). A body faces +Z with its left at +X; that frame is called
 * canonical space. Transforms are named T_parent_child, rotations R_parent_child. */
#ifndef JOINTCAST_TYPES_H
#define JOINTCAST_TYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/* A point, a direction or a displacement. */
struct jc_vec3 {
	float x, y, z; /* metres, unless a comment states otherwise */
};

/* A unit quaternion unless a comment states otherwise. */
struct jc_quat {
	float x, y, z, w; /* w is the real part */
};

/* Applied to a point as translation + rotation * (scale * point). */
struct jc_transform {
	struct jc_vec3 translation; /* metres */
	struct jc_quat rotation;    /* unit */
	struct jc_vec3 scale;       /* factor of each axis */
};

/* Column-major, as in glTF: m[12..14] is the translation. */
struct jc_mat4 {
	float m[16]; /* element of row r and column c: m[4 c + r] */
};

/* The syntaxes of scene files: VRML97 (ISO/IEC 14772-1), X3D Classic VRML and X3D XML
 * (ISO/IEC 19776). */
enum jc_scene_syntax {
	JC_SCENE_VRML97,
	JC_SCENE_X3D_CLASSIC,
	JC_SCENE_X3D_XML,
};

#ifdef __cplusplus
}
#endif

#endif
