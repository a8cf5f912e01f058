/* Reads and writes calibration records as JSON, as strictly as other input. */
#include "source/calibration_record.h"

#include <jansson.h>
#include <string.h>

#include "base/state_file.h"
#include "jointcast_private/json.h"

#define FORMAT "calibration"

static const char *const file_keys[] = { "jointcast", "version", "current", "before", NULL };

void jc_calibration_record_push(
	struct jc_calibration_record *record, const struct jc_calibration *calibration)
{
	record->before_is_none = !record->has_current;
	record->before = record->current;
	record->current = *calibration;
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
	record->has_before = false;
	return true;
}

static int refuse(struct jc_diagnostic *diagnostic, const struct jc_json_place *place)
{
	return jc_json_refuse(diagnostic, JC_ERROR_INVALID, place, "not a calibration");
}

/* Reads one of the two calibrations; null or missing means none. */
static int read_one(const json_t *root, const char *key, bool *out_is_there,
	struct jc_calibration *out_calibration, struct jc_diagnostic *diagnostic)
{
	struct jc_json_place place = { .key = key };
	const json_t *value = json_object_get(root, key);

	*out_is_there = false;
	if (!value || json_is_null(value)) {
		return JC_OK;
	}
	*out_is_there = true;
	return json_is_object(value)
		       ? jc_calibration_unpack(value, &place, out_calibration, diagnostic)
		       : refuse(diagnostic, &place);
}

static int unpack_record(const json_t *root, struct jc_calibration_record *out_record,
	struct jc_diagnostic *diagnostic)
{
	struct jc_calibration_record record = { .has_before = json_object_get(root, "before") };
	bool is_there;
	int status = jc_state_file_check(root, FORMAT, diagnostic);

	if (status == JC_OK) {
		status =
			read_one(root, "current", &record.has_current, &record.current, diagnostic);
	}
	if (status == JC_OK) {
		status = read_one(root, "before", &is_there, &record.before, diagnostic);
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

/* The same calibration in an earlier file, with members that this version does not know, or NULL.
 * The values are equal to the last digit only because the same functions read and wrote both. */
static json_t *find_same(const json_t *earlier, const json_t *packed)
{
	static const char *const keys[] = { "current", "before" };
	struct jc_diagnostic diagnostic;
	struct jc_calibration calibration;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(earlier, keys[i]);

		if (json_is_object(value) &&
			jc_calibration_unpack(value, NULL, &calibration, &diagnostic) == JC_OK) {
			json_t *again = jc_calibration_pack(&calibration);
			bool is_same = json_equal(again, packed);

			json_decref(again);
			if (is_same) {
				return value;
			}
		}
	}
	return NULL;
}

static json_t *pack_calibration(
	bool is_there, const struct jc_calibration *calibration, const json_t *earlier)
{
	json_t *packed = is_there ? jc_calibration_pack(calibration) : json_null();
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

	json_object_set_new(
		root, "current", pack_calibration(record->has_current, &record->current, before));
	if (record->has_before) {
		json_object_set_new(root, "before",
			pack_calibration(!record->before_is_none, &record->before, before));
	}
	if (root && jc_state_file_keep(root, before, file_keys) == JC_OK) {
		text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	}
	json_decref(before);
	json_decref(root);
	return text;
}
