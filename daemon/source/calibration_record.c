/* Reads and writes calibration records as JSON, as strictly as other input. */
#include "source/calibration_record.h"

#include <jansson.h>
#include <string.h>

#include "base/state_file.h"
#include "jointcast_private/json.h"

#define FORMAT   "calibration"
#define TRACKERS "trackers" /* member of a calibration */

static const char *const file_keys[] = { "jointcast", "version", "current", "before", NULL };

void jc_calibration_record_push(struct jc_calibration_record *record,
	const struct jc_calibration *calibration, const struct jc_tracker_roles *trackers)
{
	record->before_is_none = !record->has_current;
	record->before = record->current;
	record->trackers_before = record->trackers;
	record->current = *calibration;
	record->trackers = *trackers;
	record->has_current = true;
	record->has_before = true;
}

bool jc_calibration_record_undo(struct jc_calibration_record *record)
{
	if (!record->has_before) {
		return false;
	}
	record->has_current = !record->before_is_none;
	record->current = record->before;
	record->trackers = record->trackers_before;
	record->has_before = false;
	return true;
}

static int refuse(struct jc_diagnostic *diagnostic, const struct jc_json_place *place)
{
	return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not a calibration");
}

/* Reads the member "trackers": names of roles by the serial or name of the tracker. */
static int read_trackers(const json_t *calibration, const struct jc_json_place *outer,
	struct jc_tracker_roles *out_trackers, struct jc_diagnostic *diagnostic)
{
	const struct jc_json_place place = { .outer = outer, .key = TRACKERS };
	json_t *trackers = json_object_get(calibration, TRACKERS);
	struct jc_tracker_roles roles = { 0 };
	const char *tracker;
	json_t *value;

	if (trackers && !json_is_object(trackers)) {
		return refuse(diagnostic, &place);
	}
	json_object_foreach(trackers, tracker, value)
	{
		const char *name = json_string_value(value);
		int role = name ? jc_tracker_role_find(name) : -1;

		if (role < 0 || !jc_tracker_roles_add(&roles, tracker, role)) {
			return refuse(diagnostic, &place);
		}
	}
	*out_trackers = roles;
	return JC_OK;
}

/* Reads one of the two calibrations; null or missing means none. */
static int read_one(const json_t *root, const char *key, bool *out_is_there,
	struct jc_calibration *out_calibration, struct jc_tracker_roles *out_trackers,
	struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = key };
	const json_t *value = json_object_get(root, key);

	*out_is_there = false;
	if (!value || json_is_null(value)) {
		return JC_OK;
	}
	*out_is_there = true;
	if (!json_is_object(value)) {
		return refuse(diagnostic, &place);
	}
	int status = jc_calibration_unpack(value, &place, out_calibration, diagnostic);

	return status == JC_OK ? read_trackers(value, &place, out_trackers, diagnostic) : status;
}

static int unpack_record(const json_t *root, struct jc_calibration_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_calibration_record record = { .has_before = json_object_get(root, "before") };
	bool is_there;
	int status = jc_state_file_check(root, FORMAT, diagnostic);

	if (status == JC_OK) {
		status = read_one(root, "current", &record.has_current, &record.current,
			&record.trackers, diagnostic);
	}
	if (status == JC_OK) {
		status = read_one(root, "before", &is_there, &record.before,
			&record.trackers_before, diagnostic);
	}
	if (status == JC_OK) {
		record.before_is_none = record.has_before && !is_there;
		*out_record = record;
	}
	return status;
}

int jc_calibration_record_read(const char *bytes, size_t length,
	struct jc_calibration_record *out_record, struct jc_diagnostic *diagnostic)
{
	json_t *root = NULL;
	int status = jc_json_parse(bytes, length, &root, diagnostic);

	if (status == JC_OK) {
		status = unpack_record(root, out_record, diagnostic);
	}
	json_decref(root);
	return status;
}

static json_t *pack(
	const struct jc_calibration *calibration, const struct jc_tracker_roles *trackers)
{
	json_t *packed = jc_calibration_pack(calibration);
	json_t *roles = trackers->count > 0 ? json_object() : NULL;

	for (size_t i = 0; i < trackers->count; i++) {
		const struct jc_tracker_role *role = &trackers->list[i];

		json_object_set_new(
			roles, role->tracker, json_string(jc_tracker_role_name(role->role)));
	}
	if (roles) {
		json_object_set_new(packed, TRACKERS, roles);
	}
	return packed;
}

/* The same calibration in an earlier file, with members that this version does not know, or NULL.
 * The values are equal to the last digit only because the same functions read and wrote both. */
static json_t *find_same(const json_t *earlier, const json_t *packed)
{
	static const char *const keys[] = { "current", "before" };
	struct jc_diagnostic diagnostic;
	struct jc_calibration calibration;
	struct jc_tracker_roles trackers;
	bool is_there;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (read_one(earlier, keys[i], &is_there, &calibration, &trackers, &diagnostic) ==
				JC_OK &&
			is_there) {
			json_t *again = pack(&calibration, &trackers);
			bool is_same = json_equal(again, packed);

			json_decref(again);
			if (is_same) {
				return json_object_get(earlier, keys[i]);
			}
		}
	}
	return NULL;
}

static json_t *pack_calibration(bool is_there, const struct jc_calibration *calibration,
	const struct jc_tracker_roles *trackers, const json_t *earlier)
{
	json_t *packed = is_there ? pack(calibration, trackers) : json_null();
	json_t *same = is_there ? find_same(earlier, packed) : NULL;

	if (same) {
		json_decref(packed);
		return json_incref(same);
	}
	return packed;
}

char *jc_calibration_record_format(
	const struct jc_calibration_record *record, const char *earlier, size_t length)
{
	json_t *before = jc_state_file_earlier(earlier, length, FORMAT);
	json_t *root = jc_state_file_head(FORMAT);
	char *text = NULL;

	json_object_set_new(root, "current",
		pack_calibration(record->has_current, &record->current, &record->trackers, before));
	if (record->has_before) {
		json_object_set_new(root, "before",
			pack_calibration(!record->before_is_none, &record->before,
				&record->trackers_before, before));
	}
	if (root && jc_state_file_keep(root, before, file_keys) == JC_OK) {
		text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	}
	json_decref(before);
	json_decref(root);
	return text;
}
