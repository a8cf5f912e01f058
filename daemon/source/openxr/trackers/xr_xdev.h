/* XR_MNDX_xdev_space (Monado, WiVRn): trackers on the body, by serial or name. Their roles come
 * from the configuration, else from a calibration. */
#ifndef JC_XR_XDEV_H
#define JC_XR_XDEV_H

#include "source/openxr/trackers/xr_tracker.h"
#include "source/worn_trackers.h"

/* Serial and name have printable ASCII only, so that they can stand in status lines and options;
 * other characters are '_', and a hash at the end makes such texts different. */
struct jc_xr_xdev_device {
	char serial[JC_TRACKER_NAME], name[JC_TRACKER_NAME];
	const char *id; /* the serial or else the name, if no other device has it; or NULL */
	XrSpace space;
	int role; /* or -1 */
	bool is_configured;
	bool is_located;  /* at the last poll */
	bool was_located; /* at any poll of this list */
};

struct jc_xr_xdev {
	struct jc_xr_tracker base;
	const struct jc_tracker_roles *configured; /* borrowed */
	struct jc_tracker_roles calibrated;
	bool has_list; /* the devices are those of the list with this number */
	uint64_t generation;
	uint32_t listed;      /* devices of that list, of all kinds */
	XrResult list_result; /* of the last list */
	int64_t next_list_ns;
	size_t count;
	size_t ignored;     /* trackers beyond the capacity */
	int64_t located_ns; /* of the last poll that located a device of this list; 0: none */
	struct jc_xr_xdev_device devices[JC_WORN_TRACKERS];
	struct jc_worn_trackers worn; /* of the last poll: those without a configured role */
	char title[192];              /* "2 trackers: waist, left foot, off: chest" */
};

void jc_xr_xdev_init(struct jc_xr_xdev *xdev, const struct jc_tracker_roles *configured);

/* Sets the roles that a calibration found. */
void jc_xr_xdev_set_roles(struct jc_xr_xdev *xdev, const struct jc_tracker_roles *roles);

#endif
