/* Records and files as the conformance suite of MCAP writes them in JSON. */
#ifndef JC_TEST_MCAP_JSON_H
#define JC_TEST_MCAP_JSON_H

#include <jansson.h>

#include "jointcast/mcap.h"

/* A new reference: {"type": …, "fields": [[name, value], …]}, fields by name,
 * numbers as strings; NULL for records that the suite leaves out (chunks and
 * message indexes). */
json_t *mcap_json_record(const struct jc_mcap_record *record);

/* What a fixture's JSON asks of a writer: parts of a file by its features, and
 * the records that are data, written one after another. Bytes are the caller's
 * to free. */
void mcap_json_write(const json_t *fixture, uint8_t **out_bytes, size_t *out_length);

#endif
