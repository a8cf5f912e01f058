/* Where the viewer lies unless a configuration says otherwise: beside the
 * program, so that a tree that was moved, unpacked or only built serves it too. */
#ifndef JC_WEB_ROOT_H
#define JC_WEB_ROOT_H

#include <limits.h>

/* The directory beside the program, or where an installation would have it when
 * there is none. */
void jc_web_root(char out_path[PATH_MAX]);

#endif
