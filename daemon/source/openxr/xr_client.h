/* The thread that owns every call of OpenXR, seen from the loop. */
#ifndef JC_XR_CLIENT_H
#define JC_XR_CLIENT_H

#include "source/openxr/xr_event.h"
#include "source/openxr/xr_session.h"

/* How long the end of the thread is awaited. */
#define JC_XR_FAREWELL_NS INT64_C(2000000000)

struct jc_xr_client;

/* Returns 0, JC_ERROR_MEMORY, or JC_ERROR_LIMIT if no thread can be created. */
int jc_xr_client_create(const struct jc_xr_options *options, struct jc_xr_client **out_client);

/* Gives the thread the roles of trackers that a calibration found. */
void jc_xr_client_set_roles(struct jc_xr_client *client, const struct jc_tracker_roles *roles);

/* The oldest event that was not dropped, or NULL. */
const struct jc_xr_event *jc_xr_client_peek(struct jc_xr_client *client);
void jc_xr_client_drop(struct jc_xr_client *client);

/* Duration of the thread's step in progress: above a second, a call blocks. */
int64_t jc_xr_client_busy_ns(const struct jc_xr_client *client, int64_t now_ns);

/* NULL is fine. A thread that does not end in time keeps its memory, and frees it when the
 * runtime returns; the process then ends without the clean-up of libraries and streams, which could
 * wait for the same call. */
void jc_xr_client_destroy(struct jc_xr_client *client);

#endif
