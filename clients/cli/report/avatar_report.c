/* Reports whether a file can be served as an avatar, as a line of text or as JSON. */
#include "report/avatar_report.h"

#include <stdbool.h>

#include "terminal_text.h"

void jc_avatar_report_make(const void *bytes, size_t length, struct jc_avatar_report *out_report)
{
	*out_report = (struct jc_avatar_report){ .error = JC_OK };
	out_report->error =
		jc_avatar_check(bytes, length, NULL, &out_report->facts, &out_report->fault);
}

static bool permits(const struct jc_avatar_report *report, int rights)
{
	return jc_avatar_check_rights(&report->facts, (enum jc_avatar_rights)rights, NULL) == JC_OK;
}

void jc_avatar_report_write_text(FILE *stream, const struct jc_avatar_report *report)
{
	const struct jc_avatar_facts *facts = &report->facts;
	const char *separator = "";

	fprintf(stream, "  %-10s ", "avatar");
	if (report->error) {
		fputs("cannot be served: ", stream);
		if (report->fault.where[0]) {
			jc_terminal_write(stream, report->fault.where);
			fputs(": ", stream);
		}
		jc_terminal_write(stream, report->fault.what);
		fputs("\n", stream);
		return;
	}
	fprintf(stream,
		"can be served: %zu triangles, %zu draw call%s, %zu pixels, %zu kB; rights ",
		facts->triangles, facts->primitives, facts->primitives == 1 ? "" : "s",
		facts->pixels, (facts->bytes + 999) / 1000);
	for (int i = JC_AVATAR_RIGHTS_AUTHOR; i <= JC_AVATAR_RIGHTS_PUBLIC; i++) {
		if (permits(report, i)) {
			fprintf(stream, "%s%s", separator,
				jc_avatar_rights_name((enum jc_avatar_rights)i));
			separator = ", ";
		}
	}
	fputs("\n", stream);
}

static void write_facts(struct jc_json_writer *json, const struct jc_avatar_facts *facts)
{
	const struct {
		const char *name;
		size_t value;
	} counts[] = {
		{ "bytes", facts->bytes },
		{ "values", facts->values },
		{ "nodes", facts->nodes },
		{ "joints", facts->joints },
		{ "primitives", facts->primitives },
		{ "triangles", facts->triangles },
		{ "vertices", facts->vertices },
		{ "baseVertices", facts->base_vertices },
		{ "geometry", facts->geometry },
		{ "materials", facts->materials },
		{ "textures", facts->textures },
		{ "images", facts->images },
		{ "pixels", facts->pixels },
		{ "side", facts->side },
		{ "springs", facts->springs },
		{ "extent", facts->extent },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		jc_json_write_integer(json, counts[i].name, (long long)counts[i].value);
	}
	jc_json_write_string(json, "title", facts->title);
	jc_json_write_string(json, "author", facts->author);
	jc_json_write_string(json, "licence", facts->licence);
}

void jc_avatar_report_write_json(struct jc_json_writer *json, const struct jc_avatar_report *report)
{
	jc_json_begin_object(json, "avatar");
	jc_json_write_bool(json, "servable", report->error == JC_OK);
	if (report->error) {
		jc_json_write_string(json, "code", jc_error_name(report->error));
		jc_json_write_string(json, "text", report->fault.what);
		jc_json_write_string(json, "where", report->fault.where);
	} else {
		write_facts(json, &report->facts);
		jc_json_begin_array(json, "rights");
		for (int i = JC_AVATAR_RIGHTS_AUTHOR; i <= JC_AVATAR_RIGHTS_PUBLIC; i++) {
			if (permits(report, i)) {
				jc_json_write_string(json, NULL,
					jc_avatar_rights_name((enum jc_avatar_rights)i));
			}
		}
		jc_json_end_array(json);
	}
	jc_json_end_object(json);
}
