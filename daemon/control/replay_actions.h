/* Control message `replay`: recordings play in a space. */
#ifndef JC_REPLAY_ACTIONS_H
#define JC_REPLAY_ACTIONS_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;

void jc_control_replay(struct jc_client *client, const json_t *message, int64_t now_ns);

#endif
