/* Reads the text of bone maps. */
#include "bone_map.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hanim/hanim_names.h"
#include "jointcast_private/spelling.h"

static const char blanks[] = " \t\r\v\f";

/* A part of a line, without a NUL. */
struct piece {
	const char *start;
	size_t length;
};

static struct piece trim(const char *start, const char *end)
{
	while (start < end && *start && strchr(blanks, *start)) {
		start++;
	}
	while (end > start && end[-1] && strchr(blanks, end[-1])) {
		end--;
	}
	return (struct piece){ start, (size_t)(end - start) };
}

int jc_bone_map_refuse_line(const struct jc_bone_map *map, size_t line,
	struct jc_diagnostic *diagnostic, int error, const char *format, ...)
{
	char what[sizeof(diagnostic->what)];
	char where[sizeof(diagnostic->where)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	snprintf(where, sizeof(where), "%s:%zu", map->name, line);
	return jc_diagnose(diagnostic, error, where, "%s", what);
}

static int refuse_bone(const struct jc_bone_map *map, size_t line, const char *name,
	struct jc_diagnostic *diagnostic)
{
	const char *names[JC_BONE_COUNT];
	char nearest[120];

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		names[b] = jc_bone_name((enum jc_bone)b);
	}
	jc_spelling_list(name, JC_BONE_COUNT, names, nearest, sizeof(nearest));
	return jc_bone_map_refuse_line(map, line, diagnostic, JC_ERROR_INVALID,
		"'%.40s' is not a bone%s%s", name, nearest[0] ? "; nearest: " : "", nearest);
}

/* "#12"; false for a name. */
static bool read_number(struct piece joint, size_t *out_number)
{
	size_t number = 0;

	if (joint.length < 2 || joint.length > 8 || joint.start[0] != '#') {
		return false;
	}
	for (size_t i = 1; i < joint.length; i++) {
		if (joint.start[i] < '0' || joint.start[i] > '9') {
			return false;
		}
		number = 10 * number + (size_t)(joint.start[i] - '0');
	}
	*out_number = number;
	return true;
}

/* The line of a bone or vertebra; NULL for another name. */
static struct jc_bone_map_line *find_line(struct jc_bone_map *map, const char *name)
{
	enum jc_bone bone = jc_bone_find(name);
	struct jc_hanim_name other;

	if (bone != JC_BONE_NONE) {
		return &map->lines[bone];
	}
	return jc_hanim_names_find(name, &other) && other.vertebra >= 0
		       ? &map->vertebrae[other.vertebra]
		       : NULL;
}

static int set_line(const struct jc_bone_map *map, struct jc_bone_map_line *line, const char *name,
	size_t number, struct piece joint, struct jc_diagnostic *diagnostic)
{

	if (line->number > 0) {
		return jc_bone_map_refuse_line(map, number, diagnostic, JC_ERROR_INVALID,
			"'%s' already has a joint in line %zu", name, line->number);
	}
	if (joint.length == 0) {
		return jc_bone_map_refuse_line(
			map, number, diagnostic, JC_ERROR_SYNTAX, "no joint after '%s ='", name);
	}
	if (joint.length >= sizeof(line->joint)) {
		return jc_bone_map_refuse_line(map, number, diagnostic, JC_ERROR_LIMIT,
			"the name of the joint is longer than %u bytes", JC_LIMIT_NAME_BYTES - 1);
	}
	if (!read_number(joint, &line->joint_number)) {
		memcpy(line->joint, joint.start, joint.length);
	}
	line->number = number;
	return JC_OK;
}

static int read_line(
	struct jc_bone_map *map, size_t number, struct piece line, struct jc_diagnostic *diagnostic)
{
	const char *end = line.start + line.length;
	const char *equals = memchr(line.start, '=', line.length);
	char name[JC_LIMIT_NAME_BYTES];
	struct jc_bone_map_line *found;

	if (line.length == 0 || line.start[0] == '#') {
		return JC_OK;
	}
	if (memchr(line.start, '\0', line.length)) {
		return jc_bone_map_refuse_line(
			map, number, diagnostic, JC_ERROR_SYNTAX, "not a text: a byte is 0");
	}
	if (!equals) {
		return jc_bone_map_refuse_line(map, number, diagnostic, JC_ERROR_SYNTAX,
			"'%.*s' is not BONE = JOINT", (int)(line.length < 40 ? line.length : 40),
			line.start);
	}
	struct piece left = trim(line.start, equals);

	snprintf(name, sizeof(name), "%.*s", (int)(left.length < 255 ? left.length : 255),
		left.start);
	found = find_line(map, name);
	return found ? set_line(map, found, name, number, trim(equals + 1, end), diagnostic)
		     : refuse_bone(map, number, name, diagnostic);
}

static int read_lines(
	struct jc_bone_map *map, const char *text, size_t length, struct jc_diagnostic *diagnostic)
{
	const char *end = text + length;
	int error = JC_OK;

	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
	}
	for (size_t number = 1; text < end && !error; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		error = read_line(map, number, trim(text, line_end), diagnostic);
		text = newline ? newline + 1 : end;
	}
	return error;
}

int jc_bone_map_read(const char *name, const void *bytes, size_t length,
	struct jc_bone_map **out_map, struct jc_diagnostic *diagnostic)
{
	size_t name_length = strlen(name);
	struct jc_bone_map *map;
	int error;

	if (length > JC_LIMIT_BONE_MAP_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"a bone map of more than %u bytes", JC_LIMIT_BONE_MAP_BYTES);
	}
	map = calloc(1, sizeof(*map));
	if (!map) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	strcpy(map->name,
		name + (name_length < sizeof(map->name) ? 0 : name_length - sizeof(map->name) + 1));
	error = read_lines(map, bytes, length, diagnostic);
	if (error) {
		free(map);
		return error;
	}
	*out_map = map;
	return JC_OK;
}

void jc_bone_map_destroy(struct jc_bone_map *map)
{
	free(map);
}
