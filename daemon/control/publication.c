/* The list of a client's publications. */
#include "control/publication.h"

#include <stdlib.h>

void jc_publications_init(struct jc_publications *publications, int64_t now_ns)
{
	*publications = (struct jc_publications){ .dropped = 0 };
	jc_token_bucket_init(&publications->captures, now_ns);
	jc_token_bucket_init(&publications->bytes, now_ns);
	jc_token_bucket_init(&publications->begun, now_ns);
	jc_token_bucket_init(&publications->changes, now_ns);
}

void jc_publications_finish(struct jc_publications *publications)
{
	free(publications->list);
}

struct jc_publication *jc_publications_find(struct jc_publications *publications, int64_t number)
{
	for (size_t i = 0; i < publications->count; i++) {
		if (publications->list[i].space && publications->list[i].number == number) {
			return &publications->list[i];
		}
	}
	return NULL;
}

struct jc_publication *jc_publications_free(struct jc_publications *publications)
{
	if (!publications->list) {
		publications->list = calloc(JC_MAX_PUBLICATIONS, sizeof(publications->list[0]));
		publications->count = publications->list ? JC_MAX_PUBLICATIONS : 0;
	}
	for (size_t i = 0; i < publications->count; i++) {
		if (!publications->list[i].space) {
			return &publications->list[i];
		}
	}
	return NULL;
}

const char *jc_publication_name(const struct jc_publication *publication)
{
	return jc_space_find(publication->space, publication->body)->name;
}

void jc_publication_end(struct jc_publication *publication)
{
	jc_space_remove(publication->space, publication->body);
	*publication = (struct jc_publication){ .space = NULL };
}

void jc_publications_end(struct jc_publications *publications)
{
	for (size_t i = 0; i < publications->count; i++) {
		if (publications->list[i].space) {
			jc_publication_end(&publications->list[i]);
		}
	}
}
