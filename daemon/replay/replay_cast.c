/* A roster tells who is there, so what changed is found by comparing. */
#include "replay/replay_cast.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/description.h"

static struct jc_replay_member *find(struct jc_replay_cast *cast, uint16_t group, uint32_t id)
{
	for (size_t i = 0; i < cast->count; i++) {
		if (cast->members[i].group == group && cast->members[i].id == id) {
			return &cast->members[i];
		}
	}
	return NULL;
}

struct jc_source *jc_replay_cast_find(
	const struct jc_replay_cast *cast, uint16_t group, uint32_t id)
{
	const struct jc_replay_member *member = find((struct jc_replay_cast *)cast, group, id);

	return member ? member->source : NULL;
}

static const struct jc_body_rename *find_rename(
	const struct jc_body_names *names, const char *recorded)
{
	for (size_t i = 0; i < names->rename_count; i++) {
		if (strcmp(names->renames[i].from, recorded) == 0) {
			return &names->renames[i];
		}
	}
	return NULL;
}

static void put_prefix(
	const struct jc_body_names *names, const char *text, char out_text[JC_MAX_BODY_NAME])
{
	snprintf(out_text, JC_MAX_BODY_NAME, "%s%s", names->prefix, text);

	/* Never half a character of UTF-8. */
	size_t length = strlen(out_text);

	if (length == JC_MAX_BODY_NAME - 1) {
		while (length > 0 && (out_text[length - 1] & 0xc0) == 0x80) {
			length--;
		}
		if (length > 0 && (out_text[length - 1] & 0x80)) {
			length--;
		}
		out_text[length] = '\0';
	}
}

static void name_body(
	const struct jc_body_names *names, const char *recorded, char out_name[JC_MAX_BODY_NAME])
{
	const struct jc_body_rename *rename = find_rename(names, recorded);

	if (rename) {
		strcpy(out_name, rename->to);
	} else {
		put_prefix(names, recorded, out_name);
	}
}

/* Whoever goes by another name is not called by the recorded one either. */
static void display_body(const struct jc_body_names *names, const struct jc_recorded_body *body,
	char out_display[JC_MAX_BODY_NAME])
{
	out_display[0] = '\0';
	if (!find_rename(names, body->name) && jc_description_is_name(body->display)) {
		put_prefix(names, body->display, out_display);
	}
}

/* The caller's to free. */
static char *about_of(const struct jc_recorded_body *body)
{
	const struct jc_description description = { .meta = body->meta };

	return body->meta && jc_description_is_meta(body->meta) ? jc_description_about(&description)
								: strdup("{}");
}

static struct jc_outfit *find_outfit(
	const struct jc_replay_cast *cast, const struct jc_recorded_body *body)
{
	struct jc_outfit *outfit =
		cast->outfit ? cast->outfit : jc_wardrobe_find(cast->wardrobe, body->skeleton);

	return outfit ? outfit : cast->wardrobe->humanoid;
}

static void enter(struct jc_replay_cast *cast, uint16_t group, const struct jc_recorded_body *body)
{
	char name[JC_MAX_BODY_NAME], display[JC_MAX_BODY_NAME];
	struct jc_source *source;
	struct jc_entry entry = { .name = name,
		.outfit = find_outfit(cast, body),
		.placement = &body->placement,
		.seat_height = body->seat_height,
		.id = cast->keeps_ids ? body->id : 0 };
	struct jc_replay_member member = { .group = group, .id = body->id, .stays = true };

	name_body(cast->names, body->name, name);
	if (cast->count == JC_MAX_BODIES || jc_replay_body_create(body, &source) != JC_OK) {
		cast->left_out++;
		return;
	}
	entry.source = member.source = source;
	display_body(cast->names, body, display);
	entry.display = display;
	entry.about = about_of(body);
	if (jc_space_enter(cast->space, &entry, &member.body) != JC_OK) {
		source->ops->destroy(source);
		free(entry.about);
		cast->left_out++;
		return;
	}
	cast->members[cast->count++] = member;
}

static void leave(struct jc_replay_cast *cast, struct jc_replay_member *member)
{
	jc_space_remove(cast->space, member->body);
	*member = cast->members[--cast->count];
}

static void apply_body(
	struct jc_replay_cast *cast, uint16_t group, const struct jc_recorded_body *body)
{
	struct jc_replay_member *member = find(cast, group, body->id);
	char display[JC_MAX_BODY_NAME];

	if (member && !jc_replay_body_change(member->source, body)) {
		leave(cast, member);
		member = NULL;
	}
	if (member) {
		jc_space_place(
			cast->space, member->body, &body->placement, body->seat_height, false);
		display_body(cast->names, body, display);
		jc_space_describe(cast->space, member->body, display, about_of(body));
		member->stays = true;
	} else {
		enter(cast, group, body);
	}
}

static bool is_shown(const struct jc_replay_cast *cast, const struct jc_recorded_body *body)
{
	return body->recorded != JC_RECORDED_NOTHING &&
	       !(cast->withdrawals && jc_withdrawals_has(cast->withdrawals, body->id));
}

void jc_replay_cast_apply(struct jc_replay_cast *cast, const struct jc_recorded_roster *roster)
{
	for (size_t i = 0; i < cast->count; i++) {
		cast->members[i].stays = cast->members[i].group != roster->group;
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		struct jc_replay_member *member = find(cast, roster->group, roster->bodies[i].id);

		if (member && is_shown(cast, &roster->bodies[i])) {
			member->stays = true;
		}
	}
	/* Who leaves makes room for who enters. */
	for (size_t i = cast->count; i-- > 0;) {
		if (!cast->members[i].stays) {
			leave(cast, &cast->members[i]);
		}
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		if (is_shown(cast, &roster->bodies[i])) {
			apply_body(cast, roster->group, &roster->bodies[i]);
		}
	}
}

void jc_replay_cast_dismiss(struct jc_replay_cast *cast)
{
	for (size_t i = cast->withdrawals ? cast->count : 0; i-- > 0;) {
		if (jc_withdrawals_has(cast->withdrawals, cast->members[i].id)) {
			leave(cast, &cast->members[i]);
		}
	}
}

void jc_replay_cast_clear(struct jc_replay_cast *cast)
{
	while (cast->count > 0) {
		leave(cast, &cast->members[0]);
	}
}
