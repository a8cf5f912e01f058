/* Formats one line: the runtime, the trackers that deliver, then the others with the reason, and
 * what the runtime refuses. */
#include "source/openxr/xr_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "source/openxr/xr_loader.h"

#define MORE "; …" /* in place of what does not fit */

/* Appends a clause to a line, whole or not at all, so that no remedy is cut off. The capacity
 * excludes the clauses that the loop adds. */
static void append(char *text, size_t capacity, const char *format, ...)
{
	size_t room = capacity - JC_XR_DETAIL_RESERVE - sizeof(MORE);
	char clause[JC_SOURCE_DETAIL];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(clause, sizeof(clause), format, arguments);
	va_end(arguments);
	if (strlen(text) + strlen(clause) <= room) {
		strcat(text, clause);
	} else if (!strstr(text, MORE)) {
		strcat(text, MORE);
	}
}

/* Adds a number to the key of a state (FNV-1a, by words). */
static void mix(uint32_t *key, uint32_t number)
{
	*key = (*key ^ number) * 16777619u;
}

/* Appends the refused structures of a chain, between these texts, and the reason. */
static void report_refused(const struct jc_xr_chain *chain, const char *before, const char *after,
	struct jc_xr_state *state)
{
	struct jc_xr_result_name why = jc_xr_result_name(chain->why);
	const char *between = before;

	for (unsigned i = 0; i < chain->count; i++) {
		if (chain->refused & UINT32_C(1) << i) {
			append(state->detail, sizeof(state->detail), "%s%s", between,
				chain->names[i]);
			between = " and ";
		}
	}
	if (chain->refused) {
		append(state->detail, sizeof(state->detail), "%s (%s)", after, why.text);
	}
}

static void report_live(
	const struct jc_xr_tracker *tracker, const char *between, struct jc_xr_state *state)
{
	append(state->detail, sizeof(state->detail), "%s%s%s%s", between, tracker->name,
		tracker->notes[0] ? ", " : "", tracker->notes);
	report_refused(&tracker->chain, ", without ", "", state);
}

/* Whether a tracker on the body delivers, but for a moment in which cameras do not see it. */
static bool is_worn(const struct jc_xr_tracker *tracker)
{
	return tracker->is_worn &&
	       (tracker->part.live || (tracker->is_open && !tracker->is_silent));
}

/* Formats the reason why a tracker does not deliver. Returns false when it delivers, or paused only
 * for a moment. */
static bool report_fault(
	const struct jc_xr_tracker *tracker, const char *between, struct jc_xr_state *state)
{
	struct jc_xr_result_name name = jc_xr_result_name(tracker->result);

	if (tracker->fault) {
		append(state->detail, sizeof(state->detail), "%s%s", between, tracker->fault);
	} else if (tracker->is_stale && !tracker->is_body && !tracker->is_silent) {
		return false;
	} else if (tracker->is_stale && tracker->remedy) {
		append(state->detail, sizeof(state->detail), "%s%s is stale: wake the headset",
			between, tracker->name);
	} else if (tracker->is_stale) {
		append(state->detail, sizeof(state->detail),
			"%s%s: joints have not changed for %lld s: wake the headset, or start "
			"SlimeVR",
			between, tracker->name, (long long)(tracker->age_ns / 1000000000));
	} else if (jc_xr_result_is_denial(tracker->result)) {
		append(state->detail, sizeof(state->detail), "%s%s: permission denied: %s", between,
			tracker->name,
			tracker->remedy ? tracker->remedy : "permit it in the runtime");
	} else if (XR_FAILED(tracker->result)) {
		append(state->detail, sizeof(state->detail),
			"%s%s fails (%s): read the log of the runtime", between, tracker->name,
			name.text);
	} else if (tracker->remedy && tracker->is_open && tracker->is_silent) {
		append(state->detail, sizeof(state->detail), "%s%s delivers nothing: %s", between,
			tracker->name, tracker->remedy);
	} else {
		return false;
	}
	mix(&state->key, (uint32_t)tracker->result);
	return true;
}

/* Whether a body tracker delivers: its body needs no other trackers and no calibration. */
static bool has_body(const struct jc_xr_tracker *const *trackers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (trackers[i]->is_body && trackers[i]->part.live) {
			return true;
		}
	}
	return false;
}

/* Appends what operators can do, unless a body tracker delivers. */
static void report_advice(
	const struct jc_xr_tracker *const *trackers, size_t count, struct jc_xr_state *state)
{
	if (has_body(trackers, count)) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (trackers[i]->advice[0]) {
			append(state->detail, sizeof(state->detail), "; %s", trackers[i]->advice);
		}
		mix(&state->key, trackers[i]->is_body ? 0 : trackers[i]->quality);
	}
}

/* is_first: nothing precedes the first fault. */
static void report_faults(const struct jc_xr_tracker *const *trackers, size_t count, bool is_first,
	struct jc_xr_state *state)
{
	for (size_t i = 0; i < count; i++) {
		mix(&state->key, trackers[i]->is_body && trackers[i]->is_stale);
		mix(&state->key, trackers[i]->fault ? (uint32_t)strlen(trackers[i]->fault) : 0);
		mix(&state->key, trackers[i]->chain.refused);
		if (report_fault(trackers[i], is_first ? "" : "; ", state)) {
			is_first = false;
		}
	}
}

/* Appends the faces that deliver: beside live joints, or as those without a body. */
static void report_faces(const struct jc_xr_tracker *const *trackers, size_t count,
	const char *before, struct jc_xr_state *state)
{
	const char *between = before;

	for (size_t i = 0; i < count; i++) {
		if (trackers[i]->is_face && trackers[i]->part.live) {
			report_live(trackers[i], between, state);
			between = ", ";
		}
	}
}

void jc_xr_report(const struct jc_xr_tracker *const *trackers, size_t count,
	const struct jc_xr_instance *instance, bool was_live, struct jc_xr_state *out_state)
{
	bool live = false;
	bool stale = false;
	bool has_fault = false;

	snprintf(out_state->detail, sizeof(out_state->detail), "'%s': ", instance->runtime);
	out_state->key = 2166136261u;
	out_state->is_worn = false;
	for (size_t i = 0; i < count; i++) {
		if (trackers[i]->part.live && !trackers[i]->is_face) {
			report_live(trackers[i], live ? ", " : "", out_state);
			live = true;
		}
		out_state->is_worn = out_state->is_worn || is_worn(trackers[i]);
		if (trackers[i]->is_body) {
			mix(&out_state->key, trackers[i]->part.live + 2 * trackers[i]->quality);
		}
	}
	out_state->is_worn = out_state->is_worn && !has_body(trackers, count);
	for (size_t i = 0; i < count; i++) {
		stale = stale || (trackers[i]->is_body && trackers[i]->is_stale);
		has_fault = has_fault || trackers[i]->fault;
	}
	if (live) {
		report_faces(trackers, count, ", ", out_state);
	}
	if (!live && !stale && !has_fault) {
		append(out_state->detail, sizeof(out_state->detail),
			"nobody is tracked: put the headset on");
	}
	report_faults(trackers, count, !live && (stale || has_fault), out_state);
	if (!live) {
		report_faces(trackers, count, "; without a body: ", out_state);
	}
	report_advice(trackers, count, out_state);
	report_refused(&instance->extensions, "; without ", "", out_state);
	mix(&out_state->key, instance->extensions.refused);
	report_refused(&instance->properties, "; support of ", " is unknown", out_state);
	mix(&out_state->key, instance->properties.refused);
	out_state->condition = live                ? JC_SOURCE_LIVE
			       : stale || was_live ? JC_SOURCE_STALE
						   : JC_SOURCE_WAITING;
	out_state->reason = live        ? NULL
			    : has_fault ? "body tracking is invalid"
					: "nobody is tracked";
	mix(&out_state->key, out_state->condition);
	mix(&out_state->key, out_state->is_worn);
}
