/* Node constraints in the JSON of inspect and lint. */
#ifndef JC_CLI_CONSTRAINTS_JSON_H
#define JC_CLI_CONSTRAINTS_JSON_H

#include "jointcast/skeleton.h"
#include "json_writer.h"

/* Writes "constraints", an array, empty where there are none. */
void jc_constraints_write(struct jc_json_writer *json, const struct jc_skeleton *skeleton);

#endif
