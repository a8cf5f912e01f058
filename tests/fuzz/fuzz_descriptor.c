/* Fuzzes JSON skeleton descriptors: an accepted one is read again from its own text without a
 * changed byte. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/skeleton.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton, *again;
	char *text, *second;

	if (jc_skeleton_read(bytes, length, 0, NULL, &skeleton, NULL, &diagnostic)) {
		return 0;
	}
	if (jc_skeleton_write_descriptor(skeleton, &text)) {
		abort();
	}
	if (jc_skeleton_read(text, strlen(text), 0, NULL, &again, NULL, &diagnostic) ||
		jc_skeleton_write_descriptor(again, &second) || strcmp(text, second) != 0 ||
		strcmp(jc_skeleton_hash(skeleton), jc_skeleton_hash(again)) != 0) {
		abort();
	}
	free(text);
	free(second);
	jc_skeleton_destroy(skeleton);
	jc_skeleton_destroy(again);
	return 0;
}
