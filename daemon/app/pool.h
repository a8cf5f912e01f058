/* The pool of threads of libuv, on which files are read and written. */
#ifndef JC_POOL_H
#define JC_POOL_H

#include <uv.h>

#include "jointcast/error.h"

/* Starts its threads, and waits until they run. libuv starts them at the first job otherwise,
 * and aborts the process when the system has no memory or no thread left at that time: a
 * request of a client would end the daemon. The loop has nothing else to do yet.
 * JC_ERROR_MEMORY with the diagnostic filled when they cannot be started. */
int jc_pool_start(uv_loop_t *loop, struct jc_diagnostic *diagnostic);

#endif
