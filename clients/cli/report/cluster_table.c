/* One line for each process. Columns are as wide as their widest cell. */
#include "report/cluster_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "terminal_text.h"

#define CELL_BYTES 80

enum column {
	NAME,
	ROLE,
	VERSION,
	STATE,
	NATS,
	SPACES,
	CLIENTS,
	MESSAGES,
	BYTES,
	ADDED_P50,
	ADDED_P99,
	LATE,
	DROPPED,
	RECONNECTS,
	COLUMNS
};

static const struct {
	const char *title;
	bool is_text;    /* left-aligned; numbers are right-aligned */
	const char *key; /* of a text or a count; NULL: neither */
} columns[COLUMNS] = {
	[NAME] = { "name", true, "name" },
	[ROLE] = { "role", true, "role" },
	[VERSION] = { "version", true, "version" },
	[STATE] = { "state", true, NULL },
	[NATS] = { "NATS", true, "nats" },
	[SPACES] = { "spaces", false, "spaces" },
	[CLIENTS] = { "clients", false, "clients" },
	[MESSAGES] = { "messages/s", false, "messagesPerSecond" },
	[BYTES] = { "kB/s", false, NULL },
	[ADDED_P50] = { "added ms", false, NULL },
	[ADDED_P99] = { "99 %", false, NULL },
	[LATE] = { "late", false, "late" },
	[DROPPED] = { "dropped", false, "dropped" },
	[RECONNECTS] = { "reconnects", false, "reconnects" },
};

static void write_milliseconds(const json_t *seconds, char out_cell[CELL_BYTES])
{
	if (seconds) {
		snprintf(out_cell, CELL_BYTES, "%.3g", json_number_value(seconds) * 1e3);
	}
}

/* A silent process has a name, a role and a state alone. */
static void write_cell(const json_t *process, enum column column, char out_cell[CELL_BYTES])
{
	const char *state = jc_terminal_text_of(process, "state");
	const json_t *added = json_object_get(process, "added");
	const json_t *value =
		columns[column].key ? json_object_get(process, columns[column].key) : NULL;

	strcpy(out_cell, "-");
	if (column == STATE && strcmp(state, "silent") == 0) {
		snprintf(out_cell, CELL_BYTES, "silent for %.0f s",
			json_number_value(json_object_get(process, "heard")));
	} else if (column == STATE) {
		snprintf(out_cell, CELL_BYTES, "%s", state);
	} else if (column == ADDED_P50) {
		write_milliseconds(json_object_get(added, "p50"), out_cell);
	} else if (column == ADDED_P99) {
		write_milliseconds(json_object_get(added, "p99"), out_cell);
	} else if (column == BYTES && json_object_get(process, "bytesPerSecond")) {
		snprintf(out_cell, CELL_BYTES, "%.1f",
			json_number_value(json_object_get(process, "bytesPerSecond")) / 1e3);
	} else if (json_is_string(value)) {
		snprintf(out_cell, CELL_BYTES, "%s", json_string_value(value));
	} else if (json_is_integer(value)) {
		snprintf(out_cell, CELL_BYTES, "%lld", (long long)json_integer_value(value));
	}
}

static void print_cell(const char *cell, enum column column, size_t width)
{
	int space = (int)(width - strlen(cell));

	printf("%s%*s", column == NAME ? "" : "  ", columns[column].is_text ? 0 : space, "");
	jc_terminal_write(stdout, cell);
	printf("%*s", columns[column].is_text ? space : 0, "");
}

void jc_cluster_table_print(const json_t *status)
{
	const json_t *processes = json_object_get(status, "processes");
	size_t widths[COLUMNS];
	char cell[CELL_BYTES];

	for (enum column at = 0; at < COLUMNS; at++) {
		widths[at] = strlen(columns[at].title);
		for (size_t i = 0; i < json_array_size(processes); i++) {
			write_cell(json_array_get(processes, i), at, cell);
			widths[at] = strlen(cell) > widths[at] ? strlen(cell) : widths[at];
		}
	}
	for (enum column at = 0; at < COLUMNS; at++) {
		print_cell(columns[at].title, at, widths[at]);
	}
	putchar('\n');
	for (size_t i = 0; i < json_array_size(processes); i++) {
		for (enum column at = 0; at < COLUMNS; at++) {
			write_cell(json_array_get(processes, i), at, cell);
			print_cell(cell, at, widths[at]);
		}
		putchar('\n');
	}
}
