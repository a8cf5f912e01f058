/* Vector, quaternion and matrix arithmetic with cglm. The alignment of cglm types depends on
 * compiler flags, so values are copied into and out of them only in this file. */
#include "jointcast/transform.h"

#include <math.h>
#include <string.h>

/* cglm's code for ARM fuses multiplications and additions, and so gives other bits than its code
 * for other processors: use the code without vector instructions there. */
#undef __ARM_NEON
#include <cglm/cglm.h>

static void load3(struct jc_vec3 v, vec3 out)
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static struct jc_vec3 store3(vec3 v)
{
	return (struct jc_vec3){ v[0], v[1], v[2] };
}

static void load4(struct jc_quat q, versor out)
{
	out[0] = q.x;
	out[1] = q.y;
	out[2] = q.z;
	out[3] = q.w;
}

static struct jc_quat store4(versor q)
{
	return (struct jc_quat){ q[0], q[1], q[2], q[3] };
}

struct jc_vec3 jc_vec3_add(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

struct jc_vec3 jc_vec3_subtract(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

struct jc_vec3 jc_vec3_scale(struct jc_vec3 v, float factor)
{
	return (struct jc_vec3){ v.x * factor, v.y * factor, v.z * factor };
}

struct jc_vec3 jc_vec3_multiply(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

struct jc_vec3 jc_vec3_lerp(struct jc_vec3 a, struct jc_vec3 b, float t)
{
	return jc_vec3_add(jc_vec3_scale(a, 1.0f - t), jc_vec3_scale(b, t));
}

struct jc_vec3 jc_vec3_cross(struct jc_vec3 a, struct jc_vec3 b)
{
	return (struct jc_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
		a.x * b.y - a.y * b.x };
}

float jc_vec3_dot(struct jc_vec3 a, struct jc_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

float jc_vec3_length(struct jc_vec3 v)
{
	return sqrtf(jc_vec3_dot(v, v));
}

struct jc_vec3 jc_vec3_normalize(struct jc_vec3 v)
{
	vec3 u;

	load3(v, u);
	glm_vec3_normalize(u);
	return store3(u);
}

float jc_vec3_angle(struct jc_vec3 a, struct jc_vec3 b)
{
	return atan2f(jc_vec3_length(jc_vec3_cross(a, b)), jc_vec3_dot(a, b));
}

bool jc_vec3_is_finite(struct jc_vec3 v)
{
	return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

struct jc_quat jc_quat_multiply(struct jc_quat a, struct jc_quat b)
{
	versor p, q, r;

	load4(a, p);
	load4(b, q);
	glm_quat_mul(p, q, r);
	return store4(r);
}

struct jc_quat jc_quat_conjugate(struct jc_quat q)
{
	return (struct jc_quat){ -q.x, -q.y, -q.z, q.w };
}

struct jc_quat jc_quat_normalize(struct jc_quat q)
{
	/* In the order of cglm's code for SSE. */
	float square = (q.x * q.x + q.z * q.z) + (q.y * q.y + q.w * q.w);

	if (!(square > 0.0f)) {
		return JC_QUAT_IDENTITY;
	}
	float length = sqrtf(square);

	return (struct jc_quat){ q.x / length, q.y / length, q.z / length, q.w / length };
}

struct jc_quat jc_quat_from_axis_angle(struct jc_vec3 axis, float radians)
{
	versor q;
	vec3 a;

	load3(axis, a);
	glm_quatv(q, radians, a);
	return store4(q);
}

struct jc_quat jc_quat_between(struct jc_vec3 from, struct jc_vec3 to, struct jc_vec3 hint)
{
	struct jc_vec3 a = jc_vec3_normalize(from);
	struct jc_vec3 b = jc_vec3_normalize(to);
	struct jc_vec3 axis = jc_vec3_cross(a, b);
	float w = 1.0f + jc_vec3_dot(a, b);

	if (w > 1e-6f) {
		return jc_quat_normalize((struct jc_quat){ axis.x, axis.y, axis.z, w });
	}
	/* Opposite: half a turn about the hint, or about any perpendicular. */
	axis = jc_vec3_subtract(hint, jc_vec3_scale(a, jc_vec3_dot(hint, a)));
	if (jc_vec3_length(axis) < 1e-6f) {
		axis = fabsf(a.x) < 0.9f ? jc_vec3_cross(a, (struct jc_vec3){ 1, 0, 0 })
					 : jc_vec3_cross(a, (struct jc_vec3){ 0, 1, 0 });
	}
	axis = jc_vec3_normalize(axis);
	return (struct jc_quat){ axis.x, axis.y, axis.z, 0.0f };
}

struct jc_quat jc_quat_from_axes(struct jc_vec3 x, struct jc_vec3 y, struct jc_vec3 z)
{
	mat3 m;
	versor q;

	load3(x, m[0]);
	load3(y, m[1]);
	load3(z, m[2]);
	glm_mat3_quat(m, q);
	return jc_quat_normalize(store4(q));
}

/* Not glm_quat_slerp: 0.8.8 forgets the sign when opposite representations of
 * nearly equal rotations meet, and takes the angle from an arc cosine. */
struct jc_quat jc_quat_slerp(struct jc_quat a, struct jc_quat b, float t)
{
	float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
	float sign = dot < 0.0f ? -1.0f : 1.0f;
	float angle = 0.5f * jc_quat_angle(a, b);
	float sine = sinf(angle);
	float from = 1.0f - t;
	float to = t;

	if (angle > 1e-3f) {
		from = sinf((1.0f - t) * angle) / sine;
		to = sinf(t * angle) / sine;
	}
	to *= sign;
	return jc_quat_normalize((struct jc_quat){
		from * a.x + to * b.x,
		from * a.y + to * b.y,
		from * a.z + to * b.z,
		from * a.w + to * b.w,
	});
}

struct jc_vec3 jc_quat_rotate(struct jc_quat q, struct jc_vec3 v)
{
	/* v + 2w(u x v) + 2u x (u x v): cheaper than two quaternion products,
	 * and glm_quat_rotatev normalises a quaternion that is unit already. */
	struct jc_vec3 u = { q.x, q.y, q.z };
	struct jc_vec3 t = jc_vec3_scale(jc_vec3_cross(u, v), 2.0f);

	return jc_vec3_add(v, jc_vec3_add(jc_vec3_scale(t, q.w), jc_vec3_cross(u, t)));
}

struct jc_vec3 jc_quat_displace(struct jc_quat q, struct jc_vec3 v)
{
	return jc_vec3_subtract(jc_quat_rotate(q, v), v);
}

float jc_quat_angle(struct jc_quat a, struct jc_quat b)
{
	double dot = (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
	double sign = dot < 0.0 ? -1.0 : 1.0;
	double x = a.x - sign * b.x;
	double y = a.y - sign * b.y;
	double z = a.z - sign * b.z;
	double w = a.w - sign * b.w;
	double half_chord = 0.5 * sqrt(x * x + y * y + z * z + w * w);

	return (float)(4.0 * asin(half_chord < 1.0 ? half_chord : 1.0));
}

bool jc_quat_is_finite(struct jc_quat q)
{
	return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

void jc_quat_swing_twist(
	struct jc_quat q, struct jc_vec3 axis, struct jc_quat *out_swing, struct jc_quat *out_twist)
{
	float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
	struct jc_quat twist = { axis.x * along, axis.y * along, axis.z * along, q.w };

	/* A swing of half a turn leaves no twist to speak of: take none. */
	if (along * along + q.w * q.w < 1e-12f) {
		twist = JC_QUAT_IDENTITY;
	}
	*out_twist = jc_quat_normalize(twist);
	*out_swing = jc_quat_multiply(q, jc_quat_conjugate(*out_twist));
}

static void load_matrix(struct jc_mat4 a, mat4 out)
{
	memcpy(out, a.m, sizeof(a.m));
}

static struct jc_mat4 store_matrix(mat4 a)
{
	struct jc_mat4 m;

	memcpy(m.m, a, sizeof(m.m));
	return m;
}

struct jc_mat4 jc_mat4_compose(struct jc_transform transform)
{
	versor q;
	mat4 m;
	const float scale[3] = { transform.scale.x, transform.scale.y, transform.scale.z };

	load4(transform.rotation, q);
	glm_quat_mat4(q, m);
	for (int column = 0; column < 3; column++) {
		glm_vec4_scale(m[column], scale[column], m[column]);
	}
	m[3][0] = transform.translation.x;
	m[3][1] = transform.translation.y;
	m[3][2] = transform.translation.z;
	return store_matrix(m);
}

struct jc_mat4 jc_mat4_multiply(struct jc_mat4 a, struct jc_mat4 b)
{
	mat4 p, q, r;

	load_matrix(a, p);
	load_matrix(b, q);
	glm_mat4_mul(p, q, r);
	return store_matrix(r);
}

struct jc_mat4 jc_mat4_invert(struct jc_mat4 a)
{
	mat4 m, inverse;

	load_matrix(a, m);
	glm_mat4_inv(m, inverse);
	return store_matrix(inverse);
}

struct jc_vec3 jc_mat4_transform_point(struct jc_mat4 a, struct jc_vec3 point)
{
	const float *m = a.m;

	return (struct jc_vec3){
		m[0] * point.x + m[4] * point.y + m[8] * point.z + m[12],
		m[1] * point.x + m[5] * point.y + m[9] * point.z + m[13],
		m[2] * point.x + m[6] * point.y + m[10] * point.z + m[14],
	};
}

struct jc_vec3 jc_mat4_translation(struct jc_mat4 a)
{
	return (struct jc_vec3){ a.m[12], a.m[13], a.m[14] };
}

bool jc_mat4_is_finite(struct jc_mat4 a)
{
	for (int i = 0; i < 16; i++) {
		if (!isfinite(a.m[i])) {
			return false;
		}
	}
	return true;
}
