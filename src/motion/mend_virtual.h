/* Virtual transforms over a new rest. */
#ifndef JC_MOTION_MEND_VIRTUAL_H
#define JC_MOTION_MEND_VIRTUAL_H

#include "jointcast/skeleton.h"
#include "mend_plan.h"

/* Gives a virtual transform the offset with which it stands where it stood. */
void jc_mend_virtual(const struct jc_mend_plan *plan, struct jc_virtual_transform *virtual);

#endif
