/* The two output formats of the retarget command. */
#ifndef JC_CLI_RETARGET_REPORT_H
#define JC_CLI_RETARGET_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "jointcast/fitting.h"

struct jc_retarget_report {
	void (*begin)(FILE *stream, const struct jc_fitting *fitting, size_t skeleton_index);
	void (*frame)(FILE *stream, const struct jc_fitting *fitting, size_t index);
	void (*end)(FILE *stream);
};

extern const struct jc_retarget_report jc_retarget_report_json;  /* one line per frame */
extern const struct jc_retarget_report jc_retarget_report_table; /* for people */

#endif
