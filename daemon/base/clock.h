/* The clocks of the daemon. Inside: nanoseconds of CLOCK_MONOTONIC; on the wire: microseconds
 * since the daemon's epoch, which `welcome` relates to the wall clock. */
#ifndef JC_CLOCK_H
#define JC_CLOCK_H

#include <stdint.h>

struct jc_clock {
	int64_t epoch_ns; /* CLOCK_MONOTONIC at server time 0 */
	int64_t wall_us;  /* Unix time at server time 0 */
};

void jc_clock_init(struct jc_clock *clock);
int64_t jc_clock_now_ns(void);
int64_t jc_clock_thread_ns(void); /* processor time of the calling thread */
int64_t jc_clock_wall_ns(void);   /* Unix time: for data kept between runs */

/* Server time of an instant. */
int64_t jc_clock_server_us(const struct jc_clock *clock, int64_t now_ns);

#endif
