/* Virtual transforms over a new rest. */
#ifndef JC_MOTION_REREST_VIRTUAL_H
#define JC_MOTION_REREST_VIRTUAL_H

#include "jointcast/skeleton.h"
#include "rerest_plan.h"

/* Gives a virtual transform the offset with which it stands where it stood. */
void jc_rerest_virtual(const struct jc_rerest_plan *plan, struct jc_virtual_transform *virtual);

#endif
