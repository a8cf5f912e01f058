/* Writes the expressions of a VRM as KHR_character_expression, a draft. */
#ifndef JC_MOTION_REREST_EXPRESSIONS_H
#define JC_MOTION_REREST_EXPRESSIONS_H

#include "rerest_document.h"

/* Adds an animation of morph target weights for each expression with morph targets. Colours and
 * texture transforms are left out and reported. */
void jc_rerest_expressions(struct jc_rerest_document *document);

#endif
