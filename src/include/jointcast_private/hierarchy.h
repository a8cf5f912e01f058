/* Checks and sorts parent links from untrusted files. */
#ifndef JC_PRIVATE_HIERARCHY_H
#define JC_PRIVATE_HIERARCHY_H

#include <stddef.h>

#include "jointcast/error.h"

/* Proves that parents (an index or -1 each) form a forest of at most
 * JC_LIMIT_DEPTH levels and fills out_order with the count indices, parents
 * before children: by depth, then by index. where names the list in
 * diagnostics, for example "nodes". */
int jc_hierarchy_order(const int *parents, size_t count, const char *where, int *out_order,
	struct jc_diagnostic *diagnostic);

#endif
