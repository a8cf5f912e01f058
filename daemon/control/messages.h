/* The handlers of control messages: jc_control_TYPE handles the message of that type. A handler
 * answers errors itself; the message is borrowed. */
#ifndef JC_MESSAGES_H
#define JC_MESSAGES_H

#include <jansson.h>
#include <stdint.h>

struct jc_client;
struct jc_fanout;

typedef void jc_control_handler(struct jc_client *client, const json_t *message, int64_t now_ns);

jc_control_handler jc_control_ack;         /* subscribe.c */
jc_control_handler jc_control_administer;  /* administer.c */
jc_control_handler jc_control_amend;       /* body.c */
jc_control_handler jc_control_calibrate;   /* calibrate.c */
jc_control_handler jc_control_consent;     /* publish.c */
jc_control_handler jc_control_ignore;      /* subscribe.c */
jc_control_handler jc_control_join;        /* join.c */
jc_control_handler jc_control_keyframe;    /* subscribe.c */
jc_control_handler jc_control_leave;       /* join.c */
jc_control_handler jc_control_moderate;    /* moderate.c */
jc_control_handler jc_control_place;       /* body.c */
jc_control_handler jc_control_publish;     /* publish.c */
jc_control_handler jc_control_record;      /* record.c */
jc_control_handler jc_control_replay;      /* replay_actions.c */
jc_control_handler jc_control_skeleton;    /* skeletons.c */
jc_control_handler jc_control_skeletons;   /* skeletons.c */
jc_control_handler jc_control_stage;       /* body.c */
jc_control_handler jc_control_subscribe;   /* subscribe.c */
jc_control_handler jc_control_token;       /* credentials.c */
jc_control_handler jc_control_unpublish;   /* publish.c */
jc_control_handler jc_control_unregister;  /* skeletons.c */
jc_control_handler jc_control_unsubscribe; /* subscribe.c */
jc_control_handler jc_control_viewpoint;   /* subscribe.c */

/* Actions of `replay` on a space. They answer later, when the pool has read the disk or the
 * rewind buffer. */
typedef void jc_replay_action(
	struct jc_client *client, struct jc_fanout *fanout, const json_t *message, int64_t now_ns);

jc_replay_action jc_replay_files_list; /* replay_files.c */
jc_replay_action jc_replay_files_open; /* replay_files.c */
jc_replay_action jc_rewind_begin;      /* rewind.c */

#endif
