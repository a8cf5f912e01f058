/* Writes figures as entities of foxglove.SceneUpdate. */
#include "drawing_entities.h"

#include "foxglove_text.h"
#include "jointcast/transform.h"

#define LABEL_HEIGHT 0.1f

static const float head_radius = 0.1f;
static const float label_above =
	0.3f; /* of the centre of the head, T-pose: as far as a raised fist */

/* Colours of bodies, by id. */
static const char *const colors[] = {
	"{\"r\":0.32,\"g\":0.57,\"b\":0.84,\"a\":1}",
	"{\"r\":0.9,\"g\":0.55,\"b\":0.2,\"a\":1}",
	"{\"r\":0.4,\"g\":0.7,\"b\":0.35,\"a\":1}",
	"{\"r\":0.8,\"g\":0.35,\"b\":0.4,\"a\":1}",
	"{\"r\":0.6,\"g\":0.47,\"b\":0.78,\"a\":1}",
	"{\"r\":0.25,\"g\":0.68,\"b\":0.68,\"a\":1}",
	"{\"r\":0.85,\"g\":0.75,\"b\":0.3,\"a\":1}",
	"{\"r\":0.85,\"g\":0.5,\"b\":0.7,\"a\":1}",
};

/* An array of an entity that is being written. */
struct list {
	struct jc_mcap_buffer *buffer;
	const char *color;
	size_t count;
};

static struct list begin_list(
	struct jc_mcap_buffer *buffer, const struct jc_drawing_body *body, const char *begin)
{
	jc_foxglove_put(buffer, begin);
	return (struct list){ .buffer = buffer,
		.color = colors[body->id % (sizeof(colors) / sizeof(colors[0]))] };
}

static void put_solid(
	struct list *list, struct jc_vec3 centre, struct jc_quat rotation, struct jc_vec3 size)
{
	jc_foxglove_put(list->buffer, list->count++ > 0 ? ",{" : "{");
	jc_foxglove_put(list->buffer, "\"pose\":{\"position\":");
	jc_foxglove_put_vector(list->buffer, centre, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(list->buffer, ",\"orientation\":");
	jc_foxglove_put_rotation(list->buffer, rotation, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(list->buffer, "},\"size\":");
	jc_foxglove_put_vector(list->buffer, size, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(list->buffer, ",\"color\":");
	jc_foxglove_put(list->buffer, list->color);
}

static void put_sphere(struct list *list, struct jc_vec3 centre, float radius)
{
	float size = 2.0f * radius;

	put_solid(list, centre, JC_QUAT_IDENTITY, (struct jc_vec3){ size, size, size });
	jc_foxglove_put(list->buffer, "}");
}

/* Flat ends are perpendicular to Z. */
static void put_cylinder(struct list *list, struct jc_vec3 end, float radius)
{
	static const struct jc_vec3 x = { 1.0f, 0.0f, 0.0f }, z = { 0.0f, 0.0f, 1.0f };
	float length = jc_vec3_length(end);

	if (!(length > 0.0f)) {
		return;
	}
	put_solid(list, jc_vec3_scale(end, 0.5f), jc_quat_between(z, end, x),
		(struct jc_vec3){ 2.0f * radius, 2.0f * radius, length });
	jc_foxglove_put(list->buffer, ",\"bottom_scale\":1,\"top_scale\":1}");
}

/* Calls `put` for the end of each capsule that begins at the part. */
static void put_capsules(struct list *list, const struct jc_drawing_body *body, int part,
	void (*put)(struct list *list, struct jc_vec3 end, float radius))
{
	const struct jc_drawing_figure *figure = &body->figure;
	float radius = jc_drawing_figure_radius(figure, part);
	struct jc_vec3 tip;

	for (int child = 0; child < jc_drawing_figure_count(figure); child++) {
		if (jc_drawing_figure_parent(figure, child) == part &&
			jc_drawing_figure_has_capsule(figure, child)) {
			put(list, figure->offsets[child], radius);
		}
	}
	if (jc_drawing_figure_tip(figure, part, &tip)) {
		put(list, tip, radius);
	}
}

static void put_label(
	struct jc_mcap_buffer *buffer, const struct jc_drawing_body *body, struct jc_vec3 centre)
{
	struct jc_vec3 above =
		jc_vec3_scale(jc_vec3_normalize(centre), label_above + jc_vec3_length(centre));

	jc_foxglove_put(buffer, "{\"pose\":{\"position\":");
	jc_foxglove_put_vector(buffer, above, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(buffer, ",\"orientation\":");
	jc_foxglove_put_rotation(buffer, JC_QUAT_IDENTITY, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(buffer, "},\"billboard\":true,\"font_size\":");
	jc_foxglove_put_number(buffer, LABEL_HEIGHT, JC_FOXGLOVE_EXACT);
	jc_foxglove_put(buffer, ",\"scale_invariant\":false,\"color\":{\"r\":1,\"g\":1,\"b\":1,"
				"\"a\":1},\"text\":\"");
	jc_foxglove_put(buffer, body->label);
	jc_foxglove_put(buffer, "\"}");
}

static void put_name(struct jc_mcap_buffer *buffer, const char *begin,
	const struct jc_drawing_body *body, int part)
{
	jc_foxglove_put(buffer, begin);
	jc_foxglove_put(buffer, body->frame);
	jc_foxglove_put(buffer, "/");
	jc_foxglove_put(buffer, jc_drawing_figure_name(&body->figure, part));
}

static void put_entity(
	struct jc_drawing_entities *entities, const struct jc_drawing_body *body, int part)
{
	static const struct jc_vec3 origin = { 0.0f, 0.0f, 0.0f };
	struct jc_mcap_buffer *buffer = entities->buffer;
	struct jc_vec3 centre;
	bool is_head = jc_drawing_figure_head(&body->figure, &centre) == part;
	struct list list;

	jc_foxglove_put(buffer, entities->count++ > 0 ? ",{" : "{");
	jc_foxglove_put(buffer, "\"timestamp\":");
	jc_foxglove_put_time(buffer, entities->unix_ns);
	put_name(buffer, ",\"frame_id\":\"", body, part);
	put_name(buffer, "\",\"id\":\"", body, part);
	jc_foxglove_put(buffer, "\",\"lifetime\":{\"sec\":0,\"nsec\":0},\"frame_locked\":true,"
				"\"metadata\":[],\"arrows\":[],\"cubes\":[]");
	list = begin_list(buffer, body, ",\"spheres\":[");
	put_sphere(&list, origin, jc_drawing_figure_radius(&body->figure, part));
	put_capsules(&list, body, part, put_sphere);
	if (is_head) {
		put_sphere(&list, centre, head_radius);
	}
	list = begin_list(buffer, body, "],\"cylinders\":[");
	put_capsules(&list, body, part, put_cylinder);
	jc_foxglove_put(buffer, "],\"lines\":[],\"triangles\":[],\"texts\":[");
	if (is_head) {
		put_label(buffer, body, centre);
	}
	jc_foxglove_put(buffer, "],\"models\":[]}");
}

void jc_drawing_entities_begin(
	struct jc_drawing_entities *entities, struct jc_mcap_buffer *buffer, uint64_t unix_ns)
{
	*entities = (struct jc_drawing_entities){ .buffer = buffer, .unix_ns = unix_ns };
	jc_foxglove_put(buffer, "{\"deletions\":[{\"timestamp\":");
	jc_foxglove_put_time(buffer, unix_ns);
	jc_foxglove_put(buffer, ",\"type\":1,\"id\":\"\"}],\"entities\":[");
}

void jc_drawing_entities_end(struct jc_drawing_entities *entities)
{
	jc_foxglove_put(entities->buffer, "]}");
}

void jc_drawing_entities_put(
	struct jc_drawing_entities *entities, const struct jc_drawing_body *body)
{
	const struct jc_drawing_figure *figure = &body->figure;

	for (int part = 0; part < jc_drawing_figure_count(figure); part++) {
		if (figure->has[part] && (figure->is_frame || part == 0 ||
						 jc_drawing_figure_has_capsule(figure, part))) {
			put_entity(entities, body, part);
		}
	}
}
