/* Control message `record`: a space is recorded, no longer, or something is said of it. */
#ifndef JC_RECORD_H
#define JC_RECORD_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;

void jc_control_record(struct jc_client *client, const json_t *message, int64_t now_ns);

#endif
