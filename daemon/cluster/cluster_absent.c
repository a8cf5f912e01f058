/* Stands for cluster.c in a build without libnats. jc_config_check has refused the section. */
#include "cluster/cluster.h"

#include "auth/auth_policy.h"
#include "services.h"

/* No daemon has a cluster here. */
const struct jc_cluster_ops jc_cluster_ops;
const struct jc_auth_invitations_ops jc_cluster_guest_ops;

int jc_cluster_check(const struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	(void)config;
	(void)diagnostic;
	return JC_OK;
}

int jc_cluster_create(const struct jc_services *services, struct jc_control *control,
	struct jc_cluster **out_cluster, struct jc_diagnostic *diagnostic)
{
	(void)services;
	(void)control;
	(void)diagnostic;
	*out_cluster = NULL;
	return JC_OK;
}

int jc_cluster_start(
	struct jc_cluster *cluster, struct jc_server *server, struct jc_diagnostic *diagnostic)
{
	(void)server;
	(void)cluster;
	(void)diagnostic;
	return JC_OK;
}

void jc_cluster_leave(struct jc_cluster *cluster)
{
	(void)cluster;
}

void jc_cluster_stop(struct jc_cluster *cluster)
{
	(void)cluster;
}

void jc_cluster_destroy(struct jc_cluster *cluster)
{
	(void)cluster;
}
