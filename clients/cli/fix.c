/* Finds what there is to keep of the input, and writes the mended figure. */
#include "fix.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/rerest.h"
#include "replace.h"
#include "status.h"

static int make_descriptor(const struct jc_skeleton *skeleton, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *mended;
	int error = jc_rerest_skeleton(skeleton, &mended, lint, diagnostic);

	if (error) {
		return error;
	}
	error = jc_skeleton_write_descriptor(mended, &out_file->bytes);
	if (!error) {
		out_file->length = strlen(out_file->bytes);
	}
	jc_skeleton_destroy(mended);
	return error;
}

static int make_gltf(enum jc_fix_format format, const struct jc_skeleton *skeleton,
	struct jc_input *input, size_t index, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_gltf *gltf = NULL;
	int error;

	if (input) {
		struct jc_gltf_resolver resolver = jc_input_resolver(input);

		/* A skeleton could be read from it, so what is no glTF here is of
		 * another format and has nothing else to keep. */
		if (jc_gltf_read(input->bytes, input->length, &resolver, &gltf, NULL, NULL)) {
			gltf = NULL;
		}
	}
	error = jc_rerest_gltf(
		skeleton, gltf, index, format == JC_FIX_GLB, out_file, lint, diagnostic);
	jc_gltf_destroy(gltf);
	return error;
}

int jc_fix_write(const char *path, enum jc_fix_format format, const struct jc_skeleton *skeleton,
	struct jc_input *input, size_t index)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_written file = { 0 };
	struct jc_lint lint = { 0 };
	int error;
	int status;

	if (format == JC_FIX_DESCRIPTOR) {
		error = make_descriptor(skeleton, &file, &lint, &diagnostic);
	} else {
		error = make_gltf(format, skeleton, input, index, &file, &lint, &diagnostic);
	}
	if (error) {
		return jc_report_diagnostic(error, path, &diagnostic);
	}
	status = jc_replace_file(path, file.bytes, file.length);
	free(file.bytes);
	for (size_t i = 0; i < lint.count && status == JC_EXIT_DONE; i++) {
		jc_report(JC_EXIT_DONE, path, "%s", lint.entries[i].text);
	}
	return status;
}
