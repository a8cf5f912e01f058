/* Numbers of VRML and X3D: decimal, or hexadecimal in images. */
#ifndef JC_FORMAT_SCENE_NUMBER_H
#define JC_FORMAT_SCENE_NUMBER_H

#include "scanner.h"

/* As jc_span_number(); what is too large comes out infinite. */
size_t jc_scene_number(struct jc_span span, double *out_value);

#endif
