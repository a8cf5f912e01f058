/* A headless session: the spaces in which everything is located, and the events
 * that tell how it goes. */
#ifndef JC_XR_SESSION_H
#define JC_XR_SESSION_H

#include "source/openxr/xr_actions.h"
#include "source/openxr/xr_instance.h"

struct jc_xr_options {
	int profile;  /* enum jc_profile of the body tracker's joints; -1: its own */
	float height; /* of the person standing, metres; 0: not known */
};

struct jc_xr_session {
	const struct jc_xr_instance *instance; /* borrowed */
	const struct jc_xr_options *options;   /* borrowed */
	XrSession handle;                      /* XR_NULL_HANDLE: none */
	/* Its floor is y = 0: STAGE, else LOCAL_FLOOR; else LOCAL, whose origin is
	 * where the eyes were at the last recentring, lowered by the height of the
	 * eyes of someone who stands: 93 % of the person's, 1.63 m when unknown. */
	XrSpace base;
	XrReferenceSpaceType base_type;
	XrSpace view;
	struct jc_xr_actions actions;
	bool running;
	bool is_moving; /* the base will move, or has, at moves_at */
	XrTime moves_at;
	bool has_newcomer; /* the headset was put on */
};

/* Fills *out_session on success; the session begins once jc_xr_session_poll hears that
 * it may. */
XrResult jc_xr_session_create(const struct jc_xr_instance *instance,
	const struct jc_xr_options *options, struct jc_xr_session *out_session);

/* Hears what happened. Fails with XR_ERROR_SESSION_LOST, XR_ERROR_INSTANCE_LOST or
 * another result after which the session has to go. */
XrResult jc_xr_session_poll(struct jc_xr_session *session);

/* Whether the base has moved, by the time of the runtime; true once for each move. */
bool jc_xr_session_has_moved(struct jc_xr_session *session, XrTime now);

/* Whether another person may wear the headset; true once for each change. */
bool jc_xr_session_has_newcomer(struct jc_xr_session *session);

void jc_xr_session_destroy(struct jc_xr_session *session); /* none is fine */

#endif
