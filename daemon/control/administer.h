/* The control message `administer`: how many a space takes, and that it ends. */
#ifndef JC_ADMINISTER_H
#define JC_ADMINISTER_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;

void jc_control_administer(struct jc_client *client, const json_t *message, int64_t now_ns);

#endif
