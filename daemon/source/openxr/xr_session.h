/* A headless session: the base space in which all poses are located, and session events. */
#ifndef JC_XR_SESSION_H
#define JC_XR_SESSION_H

#include "source/openxr/xr_actions.h"
#include "source/openxr/xr_instance.h"
#include "source/tracker_role.h"

struct jc_xr_options {
	int profile;  /* enum jc_profile of the body tracker's joints; -1: chosen by extension */
	float height; /* height of the standing person, metres; 0: unknown */
	struct jc_tracker_roles trackers; /* roles of trackers by serial or name */
	bool is_faceless;                 /* the person wants no face and gaze */
};

struct jc_xr_session {
	const struct jc_xr_instance *instance; /* borrowed */
	const struct jc_xr_options *options;   /* borrowed */
	XrSession handle;                      /* XR_NULL_HANDLE: none */
	/* The space with y = 0 on the floor: STAGE, else LOCAL_FLOOR, else LOCAL, whose origin
	 * is at the eyes of the last recentring, lowered by the eye height of the standing person:
	 * 93 % of the height, 1.63 m if unknown. */
	XrSpace base;
	XrReferenceSpaceType base_type;
	XrSpace view;
	struct jc_xr_actions actions;
	bool running;
	bool is_moving; /* the base changes at moves_at */
	XrTime moves_at;
	bool is_unworn;    /* the headset is not worn; poses may still arrive */
	bool has_newcomer; /* a person has put on the headset */
};

/* Fills *out_session on success; jc_xr_session_poll begins the session when the runtime is
 * ready. */
XrResult jc_xr_session_create(const struct jc_xr_instance *instance,
	const struct jc_xr_options *options, struct jc_xr_session *out_session);

/* Handles all pending events. Returns XR_ERROR_SESSION_LOST, XR_ERROR_INSTANCE_LOST or another
 * error after which the session must be destroyed. */
XrResult jc_xr_session_poll(struct jc_xr_session *session);

/* Whether the base has moved at this runtime time; true once per move. */
bool jc_xr_session_has_moved(struct jc_xr_session *session, XrTime now);

/* Whether another person may wear the headset; true once per change. */
bool jc_xr_session_has_newcomer(struct jc_xr_session *session);

void jc_xr_session_destroy(struct jc_xr_session *session); /* an empty one is fine */

#endif
