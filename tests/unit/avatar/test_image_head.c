/* Heads of images, as literal bytes. */
#include <stdlib.h>
#include <string.h>

#include "image_head.h"
#include "unit_test.h"

#define PNG(chunks)    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\7\x08\2\0\0\0CRC_" chunks
#define IDAT           "\0\0\0\0IDATCRC_"
#define JPEG(segments) "\xff\xd8" segments
/* A frame of 0x0102 lines of 0x0304 samples. */
#define SOF(marker)        "\xff" marker "\0\x0b\x08\1\2\3\4\1\0\0\0"
#define APP0               "\xff\xe0\0\4ab"
#define WEBP(size, chunks) "RIFF" size "\0\0\0WEBP" chunks
/* 300 x 7: 14 bits each, after the frame tag and the start code. */
#define VP8 "VP8 \x0a\0\0\0\0\0\0\x9d\1\x2a\x2c\1\7\0"
/* 300 x 7, less one: 299 | 6 << 14 */
#define VP8L        "VP8L\5\0\0\0\x2f\x2b\x81\1\0\0"
#define VP8X(flags) "VP8X\x0a\0\0\0" flags "\0\0\0\x2b\1\0\6\0\0"

struct image {
	const char *bytes;
	size_t length;
	const char *type; /* or NULL, and: */
	const char *fault;
	size_t width, height;
};

#define IMAGE(bytes, type, width, height)                                                          \
	{                                                                                          \
		bytes, sizeof(bytes) - 1, type, NULL, width, height                                \
	}
#define BAD(bytes, fault)                                                                          \
	{                                                                                          \
		bytes, sizeof(bytes) - 1, NULL, fault, 0, 0                                        \
	}

static const struct image images[] = {
	IMAGE(PNG(IDAT), "image/png", 0x102, 7),
	IMAGE(PNG("\0\0\0\2tEXtabCRC_" IDAT), "image/png", 0x102, 7),
	IMAGE(PNG(IDAT "\0\0\0\0acTLCRC_"), "image/png", 0x102, 7), /* too late to animate */
	IMAGE(JPEG(SOF("\xc0")), "image/jpeg", 0x304, 0x102),
	IMAGE(JPEG(APP0 "\xff\xff\xfe\0\2" SOF("\xc2")), "image/jpeg", 0x304, 0x102),
	IMAGE(JPEG("\xff\xc4\0\3x" SOF("\xc1")), "image/jpeg", 0x304, 0x102),
	IMAGE(WEBP("\x16", VP8), "image/webp", 300, 7),
	IMAGE(WEBP("\x12", VP8L "\0"), "image/webp", 300, 7),
	IMAGE(WEBP("\x28", VP8X("\x10") VP8), "image/webp", 300, 7),
	IMAGE(WEBP("\x32", VP8X("\0") "ALPH\1\0\0\0a\0" VP8), "image/webp", 300, 7),

	BAD("", "neither"),
	BAD("GIF89a\1\0\1\0\x80\0\0", "neither"),
	BAD("<svg xmlns='http://www.w3.org/2000/svg'/>", "neither"),
	BAD("\0\0\0\x1c"
	    "ftypavif",
		"neither"),
	BAD("\xabKTX 20\xbb\r\n\x1a\n", "neither"),
	BAD("RIFF\4\0\0\0WAVE", "neither"),
	BAD(PNG("\0\0\0\10acTLaaaabbbbCRC_" IDAT), "animated"),
	BAD(PNG(""), "ends within"),
	BAD(PNG("\xff\xff\xff\xfftEXt"), "ends within"),
	BAD("\x89PNG\r\n\x1a\n\0\0\0\rIEND\0\0\1\2\0\0\0\7\x08\2\0\0\0CRC_" IDAT, "damaged"),
	BAD("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\7\x08\2\0\0\0CRC_" IDAT, "damaged"),
	BAD(JPEG(SOF("\xc3")), "browsers do not read"),
	BAD(JPEG(SOF("\xc9")), "browsers do not read"),
	BAD(JPEG("\xff\xda\0\2"), "browsers do not read"),
	BAD(JPEG(APP0 "a\xc0\0\2"), "damaged"),
	BAD(JPEG("\xff\xe0\0\1"), "damaged"),
	BAD(JPEG("\xff\xc0\0\7\x08\1\2\3\4"), "damaged"),
	BAD(JPEG("\xff\xc0\0\x0b\x08\0\0\3\4\1\0\0\0"), "damaged"), /* lines in a later DNL */
	BAD(JPEG("\xff\xe0\0\x10"), "ends within"),
	BAD(WEBP("\x28", VP8X("\2") VP8), "animated"),
	BAD(WEBP("\x0c", "ANIM\0\0\0\0"), "animated"),
	BAD(WEBP("\x17", VP8), "ends within"), /* longer than the image */
	BAD(WEBP("\x12", VP8X("\0")), "ends within"),
	BAD(WEBP("\x28", "VP8X\x0a\0\0\0\0\0\0\0\x2c\1\0\6\0\0" VP8), "damaged"), /* 301 x 7 */
	BAD(WEBP("\x16", "VP8 \x0a\0\0\0\1\0\0\x9d\1\x2a\x2c\1\7\0"), "damaged"),
	BAD(WEBP("\x12", "VP8L\5\0\0\0\x2e\x2b\x81\1\0\0\0"), "damaged"),
};

static void reads_type_and_size(void **)
{
	for (size_t i = 0; i < sizeof(images) / sizeof(*images); i++) {
		const struct image *image = &images[i];
		struct jc_image_head head = { .width = 99 };
		const char *fault = jc_image_head_read(image->bytes, image->length, &head);

		if (image->fault) {
			if (!fault || !strstr(fault, image->fault)) {
				fail_msg("image %zu: '%s', not '%s'", i, fault ? fault : "read",
					image->fault);
			}
			assert_int_equal(head.width, 99);
			continue;
		}
		if (fault) {
			fail_msg("image %zu: %s", i, fault);
		}
		assert_string_equal(head.type, image->type);
		assert_int_equal(head.width, image->width);
		assert_int_equal(head.height, image->height);
	}
}

/* Exact copies on the heap, so that a sanitizer sees the first byte past the end. */
static void reads_no_byte_past_the_end(void **)
{
	for (size_t i = 0; i < sizeof(images) / sizeof(*images); i++) {
		for (size_t length = 0; images[i].type && length < images[i].length; length++) {
			uint8_t *copy = malloc(length + 1);
			struct jc_image_head head;

			memcpy(copy + 1, images[i].bytes, length);
			jc_image_head_read(copy + 1, length, &head);
			free(copy);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_type_and_size),
		cmocka_unit_test(reads_no_byte_past_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
