/* Reads a file twice: as its own format, then as the descriptor that is stored. */
#include "registry/skeleton_upload.h"

#include <stdlib.h>
#include <string.h>

/* The text of the file: the first chunk of a .glb, otherwise all bytes. */
static size_t text_of(const char *bytes, size_t length)
{
	const unsigned char *size = (const unsigned char *)bytes + 12;

	if (length < 20 || memcmp(bytes, "glTF", 4) != 0) {
		return length;
	}
	size_t chunk =
		size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;

	return chunk < length ? chunk : length;
}

size_t jc_skeleton_upload_cost(const char *bytes, size_t length)
{
	size_t text = text_of(bytes, length);

	/* Too much text is refused without reading, so its weight does not count. */
	return text > JC_MAX_UPLOAD_TEXT_BYTES ? length
					       : length + (JC_MAX_UPLOAD_TEXT_WEIGHT - 1) * text;
}

static int check_upload(const char *bytes, size_t length, struct jc_diagnostic *diagnostic)
{
	if (length >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_UNSUPPORTED, NULL,
			"gzip is not unpacked here: send the file as it was before");
	}
	if (length > JC_MAX_UPLOAD_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "larger than %u MiB",
			JC_MAX_UPLOAD_BYTES >> 20);
	}
	if (text_of(bytes, length) > JC_MAX_UPLOAD_TEXT_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"text larger than %u MiB: send a .glb, or the descriptor",
			JC_MAX_UPLOAD_TEXT_BYTES >> 20);
	}
	return JC_OK;
}

/* Drops the other data of the file (meshes' nodes, limits, facts), which a restart would lose. */
static int keep_descriptor(struct jc_skeleton *skeleton, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	char *text = NULL;
	int status = jc_skeleton_write_descriptor(skeleton, &text);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL,
			"cannot make the descriptor of the skeleton: %s", jc_error_name(status));
	}
	status = jc_skeleton_read(text, strlen(text), 0, NULL, out_skeleton, NULL, diagnostic);
	free(text);
	return status;
}

int jc_skeleton_upload_read(const char *bytes, size_t length, size_t index,
	struct jc_skeleton_asset **out_asset, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton = NULL;
	struct jc_skeleton *kept = NULL;
	int status = check_upload(bytes, length, diagnostic);

	if (status == JC_OK) {
		status = jc_skeleton_read(bytes, length, index, NULL, &skeleton, lint, diagnostic);
	}
	if (status == JC_OK) {
		status = keep_descriptor(skeleton, &kept, diagnostic);
		jc_skeleton_destroy(skeleton);
	}
	if (status == JC_OK) {
		status = jc_skeleton_asset_create(kept, out_asset, diagnostic);
	}
	if (status != JC_OK) {
		jc_skeleton_destroy(kept);
	}
	return status;
}
