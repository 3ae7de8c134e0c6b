/* referee/serve/health.c - see health.h. */
#include "referee/serve/health.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include "protocol/clock.h"
#include "referee/serve/metric.h"

enum trouble {
	TROUBLE_CERTIFICATE,
	TROUBLE_EXPIRED = TROUBLE_CERTIFICATE + CONFIG_LISTENERS,
	TROUBLE_DISK = TROUBLE_EXPIRED + CONFIG_LISTENERS,
	TROUBLE_DESCRIPTORS,
	TROUBLE_LAG,
	TROUBLES,
};

struct health {
	struct loop *loop;
	struct logger *logger;
	void (*fill)(void *arg, struct health_view *view);
	void *arg;
	struct timer timer;
	struct health_view view;
	uint64_t told_us[TROUBLES]; /* when last logged; 0: no problem */
};

/* ---- figures ---------------------------------------------------------- */

/* Returns how many bytes an ordinary process may write; -1 if that is not
 * known. */
static int64_t
disk_left(const char *data)
{
	struct statvfs fs;

	return statvfs(data, &fs) < 0
		       ? -1
		       : (int64_t)(fs.f_bavail * (uint64_t)fs.f_frsize);
}

static int64_t
descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int64_t count = -1; /* leaves out the descriptor of this folder */
	const struct dirent *entry;

	if (dir == NULL)
		return -1;
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static int64_t
descriptors_most(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) < 0 ||
			       limit.rlim_cur > INT64_MAX
		       ? -1
		       : (int64_t)limit.rlim_cur;
}

/* ---- the log ---------------------------------------------------------- */

/* Logs a problem when it begins, and again after a day.  It asks no calendar: one that
 * was set back would silence it for that time. */
static void
warn_of(struct health *health, unsigned trouble, bool is, enum log_level level,
	const char *event, const char *key, const char *of, const char *number,
	int64_t value)
{
	const uint64_t now_us = clock_boot_us();
	struct log_line line;

	if (!is)
		health->told_us[trouble] = 0;
	if (!is || (health->told_us[trouble] > 0 &&
		    now_us - health->told_us[trouble] <
			    HEALTH_AGAIN_S * UINT64_C(1000000)))
		return;
	health->told_us[trouble] = now_us;
	log_begin(&line, health->logger, level, event);
	if (key != NULL)
		log_str(&line, key, of);
	log_num(&line, number, value);
	log_end(&line);
}

void
health_look(struct health *health)
{
	const struct health_view *view = &health->view;
	int64_t left, open, most, disk;
	uint64_t lag_us, worst_us;

	health->fill(health->arg, &health->view);
	for (unsigned i = 0; i < view->certificates; i++) {
		left = view->certificate[i].expires - clock_seconds();
		warn_of(health, TROUBLE_CERTIFICATE + i,
			left > 0 && left <= HEALTH_CERTIFICATE_S,
			LOG_LEVEL_WARN, "certificate-expires", "listener",
			view->certificate[i].listener, "days", left / 86400);
		warn_of(health, TROUBLE_EXPIRED + i, left <= 0, LOG_LEVEL_ERROR,
			"certificate-expired", "listener",
			view->certificate[i].listener, "days", -left / 86400);
	}
	disk = disk_left(view->data);
	warn_of(health, TROUBLE_DISK, disk >= 0 && disk < HEALTH_DISK_BYTES,
		LOG_LEVEL_WARN, "disk-low", "data", view->data, "bytes", disk);
	open = descriptors();
	most = descriptors_most();
	warn_of(health, TROUBLE_DESCRIPTORS,
		open >= 0 && most >= 0 && most - open < HEALTH_DESCRIPTORS_LEFT,
		LOG_LEVEL_WARN, "descriptors-low", NULL, NULL, "left",
		most - open);
	loop_lag(health->loop, &lag_us, &worst_us);
	warn_of(health, TROUBLE_LAG, worst_us > HEALTH_LAG_US, LOG_LEVEL_WARN,
		"loop-late", NULL, NULL, "ms", (int64_t)(worst_us / 1000));
}

static void
on_timer(void *arg)
{
	health_look(arg);
}

void
health_tell(struct health *health, struct text *out)
{
	const struct health_view *view = &health->view;
	int64_t disk;

	health->fill(health->arg, &health->view);
	disk = disk_left(view->data);
	if (disk >= 0 && disk < HEALTH_DISK_BYTES)
		text_fmt(out,
			 "the disk of the data folder has %" PRId64
			 " bytes left\n",
			 disk);
	for (unsigned i = 0; i < view->certificates; i++)
		if (view->certificate[i].expires <= clock_seconds())
			text_fmt(out,
				 "the certificate of listener %s has "
				 "expired\n",
				 view->certificate[i].listener);
}

/* ---- metrics ---------------------------------------------------------- */

/* Appends a metric, unless `value` is negative, that is, not known. */
static void
add(struct text *out, const char *name, const char *type, const char *help,
    int64_t value)
{
	if (value >= 0)
		metric_one(out, name, type, help, (uint64_t)value);
}

static void
add_certificates(const struct health_view *view, struct text *out)
{
	if (view->certificates == 0)
		return;
	metric_head(out, "referee_certificate_expiry_seconds", "gauge",
		    "When the certificate of a listener expires, in seconds "
		    "since 1970.");
	for (unsigned i = 0; i < view->certificates; i++)
		text_fmt(out,
			 "referee_certificate_expiry_seconds{listener=\"%s\"} "
			 "%" PRId64 "\n",
			 view->certificate[i].listener,
			 view->certificate[i].expires);
}

void
health_write(struct health *health, struct text *out)
{
	health->fill(health->arg, &health->view);
	add_certificates(&health->view, out);
	add(out, "referee_disk_free_bytes", "gauge",
	    "Free bytes on the disk of the data folder.",
	    disk_left(health->view.data));
	add(out, "process_open_fds", "gauge",
	    "Number of open file descriptors.", descriptors());
	add(out, "process_max_fds", "gauge",
	    "Maximum number of open file descriptors.", descriptors_most());
}

/* ---- life ------------------------------------------------------------- */

struct health *
health_new(struct loop *loop, struct logger *logger,
	   void (*view)(void *arg, struct health_view *view), void *arg)
{
	struct health *health = memory(NULL, sizeof(*health));

	*health = (struct health){
		.loop = loop, .logger = logger, .fill = view, .arg = arg
	};
	timer_init(&health->timer, &loop->timers, on_timer, health);
	timer_every(&health->timer, HEALTH_LOOK_MS * 1000);
	health_look(health);
	return health;
}

void
health_free(struct health *health)
{
	if (health == NULL)
		return;
	timer_stop(&health->timer);
	free(health);
}
