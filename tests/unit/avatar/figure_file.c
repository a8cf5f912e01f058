/* Writes GLB files of a small avatar. */
#include "figure_file.h"

#include <stdio.h>
#include <string.h>

#include "unit_test.h"

const char figure_document[] =
	"{'asset':{'version':'2.0'},"
	"'extensionsUsed':['VRMC_vrm','VRMC_springBone'],"
	"'nodes':[{'children':[1,2,3]},{},{'mesh':0,'skin':0},{'mesh':0,'skin':0}],"
	"'skins':[{'joints':[0,1]}],"
	"'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
	"'targets':[{'POSITION':3}],'indices':4,'material':0}]}],"
	"'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
	"'textures':[{'source':0},{'source':0,'sampler':0},{'source':0}],"
	"'samplers':[{}],"
	"'images':[{'bufferView':5,'mimeType':'image/png'}],"
	"'accessors':["
	"{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"
	"{'bufferView':1,'componentType':5121,'count':4,'type':'VEC4'},"
	"{'bufferView':2,'componentType':5126,'count':4,'type':'VEC4'},"
	"{'bufferView':3,'componentType':5126,'count':4,'type':'VEC3'},"
	"{'bufferView':4,'componentType':5123,'count':6,'type':'SCALAR'}],"
	"'bufferViews':["
	"{'buffer':0,'byteOffset':0,'byteLength':48},"
	"{'buffer':0,'byteOffset':48,'byteLength':16},"
	"{'buffer':0,'byteOffset':64,'byteLength':64},"
	"{'buffer':0,'byteOffset':128,'byteLength':48},"
	"{'buffer':0,'byteOffset':176,'byteLength':12},"
	"{'buffer':0,'byteOffset':188,'byteLength':45}],"
	"'buffers':[{'byteLength':233}],"
	"'extensions':{"
	"'VRMC_vrm':{'specVersion':'1.0','meta':{'name':'Ada','authors':['B. Bee','C. Cee'],"
	"'licenseUrl':'https://vrm.dev/licenses/1.0/','avatarPermission':'everyone',"
	"'allowRedistribution':true,'modification':'allowModification'}},"
	"'VRMC_springBone':{'colliders':[{},{},{}],'colliderGroups':[{'colliders':[0,1,2]}],"
	"'springs':[{'joints':[{'node':0},{'node':1}],'colliderGroups':[0,0]}]}}}";

void figure_put_u32(uint8_t *bytes, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		bytes[i] = (uint8_t)(value >> (8 * i));
	}
}

void figure_binary(uint8_t out_bytes[FIGURE_BINARY])
{
	static const uint8_t indices[12] = { 0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0 };
	static const char png[] = "\x89PNG\r\n\x1a\n"
				  "\0\0\0\rIHDR\0\0\0\3\0\0\0\5\x08\2\0\0\0CRC_"
				  "\0\0\0\0IDATCRC_";

	static const float height = 1.5f;

	memset(out_bytes, 0, FIGURE_BINARY);
	memcpy(out_bytes + 16, &height, sizeof(height)); /* y of the second vertex */
	out_bytes[48] = 1;                               /* the first joint of the first vertex */
	memcpy(out_bytes + 176, indices, sizeof(indices));
	memcpy(out_bytes + 188, png, sizeof(png) - 1);
}

void figure_file_make_of(
	struct figure_file *file, const char *document, const uint8_t *binary, size_t length)
{
	size_t text = strlen(document), padded = (text + 3) & ~(size_t)3;
	uint8_t *at = file->bytes;

	file->length = 20 + padded + (length > 0 ? 8 + length : 0);
	assert_true(file->length <= sizeof(file->bytes));
	memcpy(at, "glTF", 4);
	figure_put_u32(at + 4, 2);
	figure_put_u32(at + 8, (uint32_t)file->length);
	figure_put_u32(at + 12, (uint32_t)padded);
	memcpy(at + 16, "JSON", 4);
	memset(at + 20, ' ', padded);
	for (size_t i = 0; i < text; i++) {
		at[20 + i] = document[i] == '\'' ? '"' : (uint8_t)document[i];
	}
	if (length > 0) {
		figure_put_u32(at + 20 + padded, (uint32_t)length);
		memcpy(at + 24 + padded, "BIN\0", 4);
		memcpy(at + 28 + padded, binary, length);
	}
}

void figure_file_make(
	struct figure_file *file, const char *from, const char *to, const uint8_t *binary)
{
	const char *found = from ? strstr(figure_document, from) : figure_document;
	uint8_t own[FIGURE_BINARY];
	char document[8192];

	assert_non_null(found);
	figure_binary(own);
	snprintf(document, sizeof(document), "%.*s%s%s", (int)(found - figure_document),
		figure_document, to ? to : "", found + (from ? strlen(from) : 0));
	figure_file_make_of(file, document, binary ? binary : own, FIGURE_BINARY);
}
