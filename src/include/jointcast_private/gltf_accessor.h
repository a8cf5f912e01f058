/* Accessors of an open glTF file, proven without converting their values. */
#ifndef JC_PRIVATE_GLTF_ACCESSOR_H
#define JC_PRIVATE_GLTF_ACCESSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/gltf.h"

/* The shape of an accessor (3.6.2). */
struct jc_gltf_accessor {
	size_t count;      /* elements, at least 1 */
	size_t components; /* numbers of an element */
	size_t size;       /* bytes of an element, with the padding of its columns */
	bool is_float;
	bool is_index; /* unsigned integers, not normalised */
};

/* Proves that all elements, substituted ones included, lie within their views. */
int jc_gltf_accessor_measure(const struct jc_gltf *gltf, int accessor,
	struct jc_gltf_accessor *out_accessor, struct jc_diagnostic *diagnostic);

/* The range of an accessor's values. */
struct jc_gltf_range {
	double greatest; /* of integers; 0 for floats */
	double reach[3]; /* of vectors of three: the greatest magnitude of each component; else 0 */
};

/* Reads all values: fails for a float that is not finite. */
int jc_gltf_accessor_range(const struct jc_gltf *gltf, int accessor,
	struct jc_gltf_range *out_range, struct jc_diagnostic *diagnostic);

#endif
