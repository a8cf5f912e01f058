/* Frees what a request still owns. */
#include "registry/queued_request.h"

#include <stdlib.h>

void jc_queued_request_destroy(struct jc_queued_request *request)
{
	if (!request->is_in_table) {
		jc_skeleton_asset_destroy(request->asset);
	}
	free(request->bytes);
	free(request->lint);
	free(request->removed);
	free(request);
}
