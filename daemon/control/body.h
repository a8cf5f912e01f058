/* The control messages that change a body which is there: `amend`, `place` and `stage`. */
#ifndef JC_BODY_H
#define JC_BODY_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;

void jc_control_amend(struct jc_client *client, const json_t *message, int64_t now_ns);
void jc_control_place(struct jc_client *client, const json_t *message, int64_t now_ns);
void jc_control_stage(struct jc_client *client, const json_t *message, int64_t now_ns);

#endif
