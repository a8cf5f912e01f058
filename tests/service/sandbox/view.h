/* The file system as the service sees it. */
#ifndef JC_TEST_VIEW_H
#define JC_TEST_VIEW_H

#include "unit.h"

#define VIEW_PROGRAM "/mnt/program"
#define VIEW_GIVEN   "/mnt/given"

/* In a mount namespace of the caller's own: the program at VIEW_PROGRAM, `given`, which
 * is a folder, at VIEW_GIVEN, `state` where the unit has its StateDirectory. */
void view_make(const struct unit *unit, const char *program, const char *given, const char *state);

#endif
