/* Rotations in double precision by matrices, independent of transform.h, so that expected values
 * do not come from the tested code. */
#ifndef TEST_REFERENCE_H
#define TEST_REFERENCE_H

#include "jointcast/types.h"

struct matrix {
	double m[3][3]; /* rows */
};

struct vector {
	double v[3];
};

struct matrix matrix_identity(void);
struct matrix matrix_multiply(struct matrix a, struct matrix b);
struct matrix matrix_transpose(struct matrix a);
struct matrix matrix_about(double x, double y, double z, double degrees); /* any length of axis */
struct matrix matrix_from_quat(struct jc_quat q);
struct jc_quat matrix_to_quat(struct matrix a);
struct matrix matrix_from_columns(struct vector x, struct vector y, struct vector z);

struct vector vector_from(struct jc_vec3 v);
struct jc_vec3 vector_to(struct vector v);
struct vector vector_add(struct vector a, struct vector b);
struct vector vector_subtract(struct vector a, struct vector b);
struct vector vector_scale(struct vector a, double factor);
struct vector vector_cross(struct vector a, struct vector b);
struct vector matrix_apply(struct matrix a, struct vector v);

/* Largest difference of an element. */
double matrix_difference(struct matrix a, struct matrix b);
double vector_distance(struct vector a, struct vector b);

/* Angle between two rotations of any length, from the chord, which is exact where the arc
 * cosine of a dot product is not. */
double degrees_between(struct jc_quat a, struct jc_quat b);

/* A fixed sequence; random_unit() is within -1..1. */
void random_start(unsigned seed);
double random_unit(void);
struct matrix random_rotation(double most_degrees);

#endif
