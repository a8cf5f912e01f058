/* Compares the roster of the recording with the bodies in the space to find what changed. */
#include "replay/replay_roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/description.h"

static struct jc_replay_member *find(
	struct jc_replay_roster *replay_roster, uint16_t group, uint32_t id)
{
	for (size_t i = 0; i < replay_roster->count; i++) {
		if (replay_roster->members[i].group == group &&
			replay_roster->members[i].id == id) {
			return &replay_roster->members[i];
		}
	}
	return NULL;
}

struct jc_source *jc_replay_roster_find(
	const struct jc_replay_roster *replay_roster, uint16_t group, uint32_t id)
{
	const struct jc_replay_member *member =
		find((struct jc_replay_roster *)replay_roster, group, id);

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

	/* Does not cut a UTF-8 character in two. */
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

/* A renamed body does not keep the recorded display name. */
static void display_body(const struct jc_body_names *names, const struct jc_recorded_body *body,
	char out_display[JC_MAX_BODY_NAME])
{
	out_display[0] = '\0';
	if (!find_rename(names, body->name) && jc_description_is_name(body->display)) {
		put_prefix(names, body->display, out_display);
	}
}

/* The caller frees the result. */
static char *about_of(const struct jc_recorded_body *body)
{
	const struct jc_description description = { .meta = body->meta };

	return body->meta && jc_description_is_meta(body->meta) ? jc_description_about(&description)
								: strdup("{}");
}

static struct jc_skeleton_asset *find_asset(
	const struct jc_replay_roster *replay_roster, const struct jc_recorded_body *body)
{
	struct jc_skeleton_asset *asset =
		replay_roster->asset
			? replay_roster->asset
			: jc_skeleton_table_find(replay_roster->skeleton_table, body->skeleton);

	return asset ? asset : replay_roster->skeleton_table->humanoid;
}

static void enter(
	struct jc_replay_roster *replay_roster, uint16_t group, const struct jc_recorded_body *body)
{
	char name[JC_MAX_BODY_NAME], display[JC_MAX_BODY_NAME];
	struct jc_source *source;
	struct jc_entry entry = { .name = name,
		.asset = find_asset(replay_roster, body),
		.placement = &body->placement,
		.seat_height = body->seat_height };
	struct jc_replay_member member = { .group = group, .id = body->id, .stays = true };

	name_body(replay_roster->names, body->name, name);
	if (replay_roster->count == JC_MAX_BODIES ||
		jc_replay_body_create(body, &source) != JC_OK) {
		replay_roster->left_out++;
		return;
	}
	entry.source = member.source = source;
	display_body(replay_roster->names, body, display);
	entry.display = display;
	entry.about = about_of(body);
	if (jc_space_enter(replay_roster->space, &entry, &member.body) != JC_OK) {
		source->ops->destroy(source);
		free(entry.about);
		replay_roster->left_out++;
		return;
	}
	replay_roster->members[replay_roster->count++] = member;
}

static void leave(struct jc_replay_roster *replay_roster, struct jc_replay_member *member)
{
	jc_space_remove(replay_roster->space, member->body);
	*member = replay_roster->members[--replay_roster->count];
}

static void apply_body(
	struct jc_replay_roster *replay_roster, uint16_t group, const struct jc_recorded_body *body)
{
	struct jc_replay_member *member = find(replay_roster, group, body->id);
	char display[JC_MAX_BODY_NAME];

	if (member && !jc_replay_body_change(member->source, body)) {
		leave(replay_roster, member);
		member = NULL;
	}
	if (member) {
		jc_space_place(replay_roster->space, member->body, &body->placement,
			body->seat_height, false);
		display_body(replay_roster->names, body, display);
		jc_space_describe(replay_roster->space, member->body, display, about_of(body));
		member->stays = true;
	} else {
		enter(replay_roster, group, body);
	}
}

static bool is_shown(
	const struct jc_replay_roster *replay_roster, const struct jc_recorded_body *body)
{
	return body->recorded != JC_RECORDED_NOTHING &&
	       !(replay_roster->withdrawals &&
		       jc_withdrawals_has(replay_roster->withdrawals, body->id));
}

void jc_replay_roster_apply(
	struct jc_replay_roster *replay_roster, const struct jc_recorded_roster *roster)
{
	for (size_t i = 0; i < replay_roster->count; i++) {
		replay_roster->members[i].stays = replay_roster->members[i].group != roster->group;
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		struct jc_replay_member *member =
			find(replay_roster, roster->group, roster->bodies[i].id);

		if (member && is_shown(replay_roster, &roster->bodies[i])) {
			member->stays = true;
		}
	}
	/* Bodies leave first, to make room for others. */
	for (size_t i = replay_roster->count; i-- > 0;) {
		if (!replay_roster->members[i].stays) {
			leave(replay_roster, &replay_roster->members[i]);
		}
	}
	for (size_t i = 0; i < roster->body_count; i++) {
		if (is_shown(replay_roster, &roster->bodies[i])) {
			apply_body(replay_roster, roster->group, &roster->bodies[i]);
		}
	}
}

void jc_replay_roster_remove_withdrawn(struct jc_replay_roster *replay_roster)
{
	for (size_t i = replay_roster->withdrawals ? replay_roster->count : 0; i-- > 0;) {
		if (jc_withdrawals_has(replay_roster->withdrawals, replay_roster->members[i].id)) {
			leave(replay_roster, &replay_roster->members[i]);
		}
	}
}

void jc_replay_roster_clear(struct jc_replay_roster *replay_roster)
{
	while (replay_roster->count > 0) {
		leave(replay_roster, &replay_roster->members[0]);
	}
}
