/* Writes roles first, then what is wrong with which tracker, and the remedy. */
#include "source/openxr/trackers/xr_xdev_status.h"

#include <stdio.h>
#include <string.h>

#include "source/openxr/xr_loader.h"

#define SHOWN_MOST 24 /* bytes of a name beside others */
#define NAMED_MOST 3u /* trackers that a clause names */

/* Appends to a text; what exceeds its capacity is cut off. */
static void append(char *text, size_t capacity, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, capacity - length, "%s", more);
}

static void append_roles(struct jc_xr_xdev *xdev, bool is_located, const char *before)
{
	const char *between = before;

	for (size_t i = 0; i < xdev->count; i++) {
		const struct jc_xr_xdev_device *device = &xdev->devices[i];

		if (device->role >= 0 && device->is_located == is_located) {
			append(xdev->title, sizeof(xdev->title), between);
			append(xdev->title, sizeof(xdev->title),
				jc_tracker_role_name(device->role));
			between = ", ";
		}
	}
}

/* "2 trackers: waist, left foot, off: right foot". */
static void entitle(struct jc_xr_xdev *xdev, unsigned count)
{
	snprintf(xdev->title, sizeof(xdev->title), "%u tracker%s", count, count == 1 ? "" : "s");
	append_roles(xdev, true, ": ");
	append_roles(xdev, false, ", off: ");
	for (char *c = xdev->title; *c; c++) {
		*c = *c == '_' ? ' ' : *c;
	}
	xdev->base.name = xdev->title;
}

static bool needs_role(const struct jc_xr_xdev_device *device)
{
	return device->is_located && device->id && device->role < 0;
}

static bool needs_id(const struct jc_xr_xdev_device *device)
{
	return device->is_located && !device->id && device->role < 0;
}

static bool is_off(const struct jc_xr_xdev_device *device)
{
	return !device->is_located;
}

static bool is_any_located(const struct jc_xr_xdev *xdev)
{
	for (size_t i = 0; i < xdev->count; i++) {
		if (xdev->devices[i].is_located) {
			return true;
		}
	}
	return false;
}

/* Changes with the listed devices and their roles, not while one of them is hidden. */
static uint32_t qualify(const struct jc_xr_xdev *xdev, bool are_off)
{
	uint32_t quality = (uint32_t)(2 * (xdev->count + xdev->ignored)) + are_off;

	for (size_t i = 0; i < xdev->count; i++) {
		const struct jc_xr_xdev_device *device = &xdev->devices[i];

		quality = 31 * quality + (uint32_t)(device->role + 2);
		quality = 31 * quality + 2 * device->was_located + (device->id != NULL);
		for (const char *c = device->serial; *c; c++) {
			quality = 31 * quality + (uint8_t)*c;
		}
	}
	return quality;
}

/* Appends the number of such trackers, what is wrong, their serials, and the remedy. */
static void advise(struct jc_xr_xdev *xdev, bool (*concerns)(const struct jc_xr_xdev_device *),
	const char *what, const char *remedy)
{
	char *advice = xdev->base.advice;
	char names[NAMED_MOST * (JC_TRACKER_NAME + 4)] = "";
	char line[sizeof(names) + sizeof(xdev->base.advice)];
	unsigned count = 0, total = 0;

	for (size_t i = 0; i < xdev->count; i++) {
		total += concerns(&xdev->devices[i]);
	}
	int most = total > 1 ? SHOWN_MOST : JC_TRACKER_NAME;

	for (size_t i = 0; i < xdev->count; i++) {
		const struct jc_xr_xdev_device *device = &xdev->devices[i];
		const char *name = device->serial[0] ? device->serial : device->name;

		if (!concerns(device)) {
			continue;
		}
		if (count < NAMED_MOST) {
			char shown[JC_TRACKER_NAME + sizeof(", '…'")];

			name = device->id ? device->id : name;
			snprintf(shown, sizeof(shown), "%s'%.*s%s'", count > 0 ? ", " : "", most,
				name, strlen(name) > (size_t)most ? "…" : "");
			append(names, sizeof(names), shown);
		}
		count++;
	}
	if (count > 0) {
		snprintf(line, sizeof(line), "%s%u tracker%s %s (%s%s): %s", advice[0] ? "; " : "",
			count, count == 1 ? "" : "s", what, names,
			count > NAMED_MOST ? ", ..." : "", remedy);
		append(xdev->base.advice, sizeof(xdev->base.advice), line);
	}
}

static void advise_all(struct jc_xr_xdev *xdev, int64_t now_ns)
{
	char line[160] = "";

	xdev->located_ns = is_any_located(xdev) ? now_ns : xdev->located_ns;
	bool are_off = xdev->count > 0 && jc_xr_is_silent(xdev->located_ns, now_ns);

	xdev->base.quality = qualify(xdev, are_off);
	xdev->base.advice[0] = '\0';
	if (are_off) {
		advise(xdev, is_off, "without a pose",
			xdev->count == 1 ? "switch it on" : "switch them on");
	}
	advise(xdev, needs_role, "without a role", "calibrate or set roles");
	advise(xdev, needs_id, "with the same serial and name", "switch one of them off");
	if (xdev->ignored > 0) {
		snprintf(line, sizeof(line), "%s%zu trackers beyond %u are ignored",
			xdev->base.advice[0] ? "; " : "", xdev->ignored, JC_WORN_TRACKERS);
		append(xdev->base.advice, sizeof(xdev->base.advice), line);
	}
	if (XR_FAILED(xdev->list_result)) {
		struct jc_xr_result_name why = jc_xr_result_name(xdev->list_result);

		snprintf(line, sizeof(line), "%slisting trackers fails (%s): %s",
			xdev->base.advice[0] ? "; " : "", why.text, "read the log of the runtime");
		append(xdev->base.advice, sizeof(xdev->base.advice), line);
	}
}

void jc_xr_xdev_status_write(struct jc_xr_xdev *xdev, unsigned count, int64_t now_ns)
{
	if (count > 0) {
		entitle(xdev, count);
	}
	advise_all(xdev, now_ns);
}
