/* The file system as the service sees it. */
#ifndef JC_TEST_VIEW_H
#define JC_TEST_VIEW_H

#include "unit.h"

#define VIEW_PROGRAM "/mnt/program"
#define VIEW_GIVEN   "/mnt/given"

/* The caller is in a mount namespace of its own. Mounts the program at VIEW_PROGRAM, the folder
 * `given` at VIEW_GIVEN, and the folder `state` at the StateDirectory of the unit. */
void view_make(const struct unit *unit, const char *program, const char *given, const char *state);

#endif
