/* referee/serve/health.h - watches what may stop the daemon: certificates,
 * disk, descriptors, and the delay of the loop.
 *
 * It measures at the start, once a minute, on request, and for each page of
 * metrics.  A problem is logged when it begins, and once a day while it lasts. */
#ifndef REFEREE_HEALTH_H
#define REFEREE_HEALTH_H

#include <stdint.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"

#define HEALTH_LOOK_MS 60000
#define HEALTH_AGAIN_S 86400		  /* then a problem is logged again */
#define HEALTH_CERTIFICATE_S (30 * 86400) /* left until it expires */
#define HEALTH_DISK_BYTES UPLOAD_RESERVE_BYTES /* least bytes left */
#define HEALTH_LAG_US 200000
#define HEALTH_DESCRIPTORS_LEFT 64

/* The certificate of a listener. */
struct health_certificate {
	const char *listener;
	int64_t expires; /* seconds since 1970 */
};

/* The things to look at. */
struct health_view {
	const char *data; /* the data folder */
	unsigned certificates;
	struct health_certificate certificate[CONFIG_LISTENERS];
};

struct health;

/* Makes it.  `view` fills in the things to look at, which stay valid until its
 * next call. */
struct health *health_new(struct loop *loop, struct logger *logger,
			  void (*view)(void *arg, struct health_view *view),
			  void *arg) MUST_CHECK;
void health_free(struct health *health); /* NULL is allowed */
/* Looks at once; call it when the configuration has changed. */
void health_look(struct health *health);
/* Appends a line for each present problem that stops games or bots: the disk
 * has less than HEALTH_DISK_BYTES left, or a certificate has expired. */
void health_tell(struct health *health, struct text *out);
/* Appends its metrics in the text format of Prometheus. */
void health_write(struct health *health, struct text *out);

#endif
