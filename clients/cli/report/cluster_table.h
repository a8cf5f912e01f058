/* Prints the status of a cluster as a table of its processes. */
#ifndef JC_CLI_CLUSTER_TABLE_H
#define JC_CLI_CLUSTER_TABLE_H

#include <jansson.h>

/* status: the answer of a daemon to /status/cluster. Fields that it lacks, as that of a daemon of
 * another version may, are printed as 0 or left out. */
void jc_cluster_table_print(const json_t *status);

#endif
