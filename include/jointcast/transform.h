/* Arithmetic on the plain values of types.h (cglm inside). Nothing here fails;
 * results of non-finite inputs are non-finite. */
#ifndef JOINTCAST_TRANSFORM_H
#define JOINTCAST_TRANSFORM_H

#include <stdbool.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No rotation, and no change. */
#define JC_QUAT_IDENTITY ((struct jc_quat){ 0.0f, 0.0f, 0.0f, 1.0f })
#define JC_TRANSFORM_IDENTITY                                                                      \
	((struct jc_transform){                                                                    \
		{ 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f }, { 1.0f, 1.0f, 1.0f } })

/* Arithmetic of vectors. */
struct jc_vec3 jc_vec3_add(struct jc_vec3 a, struct jc_vec3 b);           /* a + b */
struct jc_vec3 jc_vec3_subtract(struct jc_vec3 a, struct jc_vec3 b);      /* a - b */
struct jc_vec3 jc_vec3_scale(struct jc_vec3 v, float factor);             /* factor * v */
struct jc_vec3 jc_vec3_multiply(struct jc_vec3 a, struct jc_vec3 b);      /* by component */
struct jc_vec3 jc_vec3_lerp(struct jc_vec3 a, struct jc_vec3 b, float t); /* a + t (b - a) */
struct jc_vec3 jc_vec3_cross(struct jc_vec3 a, struct jc_vec3 b);         /* a x b */
float jc_vec3_dot(struct jc_vec3 a, struct jc_vec3 b);                    /* a . b */
float jc_vec3_length(struct jc_vec3 v);                                   /* |v| */
struct jc_vec3 jc_vec3_normalize(struct jc_vec3 v);                       /* zero stays zero */
float jc_vec3_angle(struct jc_vec3 a, struct jc_vec3 b); /* radians, exact near zero too */
bool jc_vec3_is_finite(struct jc_vec3 v);                /* no component is infinite or NaN */

/* a * b: b first, then a, as with matrices. */
struct jc_quat jc_quat_multiply(struct jc_quat a, struct jc_quat b);
struct jc_quat jc_quat_conjugate(struct jc_quat q); /* inverse of a unit quaternion */
struct jc_quat jc_quat_normalize(struct jc_quat q); /* zero becomes identity */
struct jc_quat jc_quat_from_axis_angle(struct jc_vec3 axis, float radians);

/* The shortest rotation taking direction `from` to `to` (any length). Opposite
 * directions turn about `hint` made perpendicular to `from`. */
struct jc_quat jc_quat_between(struct jc_vec3 from, struct jc_vec3 to, struct jc_vec3 hint);

/* The rotation whose columns are x, y and z: right-handed and orthonormal. */
struct jc_quat jc_quat_from_axes(struct jc_vec3 x, struct jc_vec3 y, struct jc_vec3 z);
struct jc_quat jc_quat_slerp(struct jc_quat a, struct jc_quat b, float t); /* the short way */
struct jc_vec3 jc_quat_rotate(struct jc_quat q, struct jc_vec3 v);
/* How far q moves a point: q v - v. */
struct jc_vec3 jc_quat_displace(struct jc_quat q, struct jc_vec3 v);

/* Angle of the rotation between two orientations, radians, from the chord
 * (exact near zero, where the arc cosine of a dot product is not). */
float jc_quat_angle(struct jc_quat a, struct jc_quat b);
bool jc_quat_is_finite(struct jc_quat q); /* no component is infinite or NaN */

/* Splits q = swing * twist with twist about `axis` (unit). */
void jc_quat_swing_twist(struct jc_quat q, struct jc_vec3 axis, struct jc_quat *out_swing,
	struct jc_quat *out_twist);

/* Arithmetic of matrices. */
struct jc_mat4 jc_mat4_compose(struct jc_transform transform);       /* the matrix of a transform */
struct jc_mat4 jc_mat4_multiply(struct jc_mat4 a, struct jc_mat4 b); /* a * b: b first, then a */
struct jc_mat4 jc_mat4_invert(struct jc_mat4 a); /* singular gives non-finite values */
struct jc_vec3 jc_mat4_transform_point(struct jc_mat4 a, struct jc_vec3 point); /* a * point */
struct jc_vec3 jc_mat4_translation(struct jc_mat4 a); /* where a moves the origin to */
bool jc_mat4_is_finite(struct jc_mat4 a);             /* no element is infinite or NaN */

/* Nearest translation * rotation * scale by polar decomposition; false if a is singular or
 * not finite. *out_shear (may be NULL) is the size of the remaining shear relative to the
 * scale, 0 for a matrix without shear. A mirrored matrix gives one negative scale component. */
bool jc_mat4_decompose(struct jc_mat4 a, struct jc_transform *out_transform, float *out_shear);

#ifdef __cplusplus
}
#endif

#endif
