/* A chain at the end of a pipe, for the test that compares it with the one in
 * JavaScript: commands on stdin, answers on stdout, both little-endian as the
 * machine is. Trusted input only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "jointcast_private/chain.h"

static struct jc_quat rotations[JC_BONE_COUNT];
static struct jc_vec3 translation;
static uint8_t bytes[UINT16_MAX];

static void take(void *out, size_t size)
{
	if (fread(out, 1, size, stdin) != size) {
		fputs("a command ends\n", stderr);
		exit(1);
	}
}

static void give(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size) {
		exit(1);
	}
}

static size_t take_bytes(void)
{
	uint16_t length;

	take(&length, sizeof(length));
	take(bytes, length);
	return length;
}

static void take_motion(const struct jc_chain *chain)
{
	if (chain->section == JC_SECTION_HIPS) {
		take(&translation, sizeof(translation));
	} else {
		take(rotations, sizeof(rotations));
	}
}

static void give_written(int32_t length)
{
	give(&length, sizeof(length));
	if (length > 0) {
		give(bytes, (size_t)length);
	}
}

/* Writes the state, then the decoded values. */
static void give_state(const struct jc_chain *chain)
{
	struct jc_quat shown[JC_BONE_COUNT] = { 0 };
	struct jc_vec3 at;

	give(&chain->started, 1);
	if (!chain->started) {
		return;
	}
	give(&chain->precision, 1);
	give(&chain->count, 1);
	give(chain->bones, chain->count);
	give(chain->items, chain->count * sizeof(chain->items[0]));
	if (chain->section == JC_SECTION_HIPS) {
		at = jc_chain_translation(chain);
		give(&at, sizeof(at));
	} else {
		jc_chain_rotations(chain, shown);
		give(shown, sizeof(shown));
	}
}

static void start(struct jc_chain *chain)
{
	struct {
		uint64_t bones;
		uint8_t section, precision, unused[6];
	} how;
	int32_t error;

	take(&how, sizeof(how));
	chain->section = how.section;
	take_motion(chain);
	error = jc_chain_start(chain, JC_CODING_CHAIN, (enum jc_section)how.section,
		(enum jc_precision)how.precision, how.bones, rotations, &translation);
	give(&error, sizeof(error));
}

static void answer(struct jc_chain *chain, int command)
{
	uint8_t which = 0;
	int32_t status = 0;

	switch (command) {
	case 'S':
		start(chain);
		break;
	case 'E': /* settle, motion */
		take(&which, 1);
		take_motion(chain);
		give_written(jc_chain_encode(
			chain, rotations, &translation, which, bytes, sizeof(bytes)));
		break;
	case 'W':
		give_written(jc_chain_write_rejoin(chain, bytes, sizeof(bytes)));
		break;
	case 'R': /* section, bytes */
		take(&which, 1);
		status = (int32_t)take_bytes();
		status = jc_chain_read_rejoin(
			chain, JC_CODING_CHAIN, (enum jc_section)which, bytes, (size_t)status);
		give(&status, sizeof(status));
		break;
	case 'D': /* bytes */
		status = (int32_t)take_bytes();
		status = jc_chain_decode(chain, bytes, (size_t)status);
		give(&status, sizeof(status));
		break;
	case 'H':
		jc_chain_hold(chain);
		break;
	case 'P':
		give_state(chain);
		break;
	default:
		fprintf(stderr, "no command is called '%c'\n", command);
		exit(1);
	}
}

int main(void)
{
	struct jc_chain chain = { 0 };
	int command;

	while ((command = getchar()) != EOF) {
		answer(&chain, command);
	}
	return 0;
}
