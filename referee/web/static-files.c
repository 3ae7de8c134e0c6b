/* referee/web/static-files.c - see static-files.h. */
#include "referee/web/static-files.h"

#include <string.h>

static const struct {
	const char *end, *type;
} types[] = {
	{ ".css", "text/css; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".json", "application/json" },
	{ ".svg", "image/svg+xml" },
	{ ".png", "image/png" },
	{ ".txt", PAGE_PLAIN },
};

static const char *
type_of(const char *name)
{
	const char *end = strrchr(name, '.');

	for (size_t i = 0; end != NULL && i < NELEM(types); i++)
		if (strcmp(types[i].end, end) == 0)
			return types[i].type;
	bug("static file %s has no type", name);
}

const struct static_file *
static_files_find(const char *name)
{
	const struct static_file *file = static_files;

	while (file->name != NULL && strcmp(file->name, name) != 0)
		file++;
	return file->name == NULL ? NULL : file;
}

void
static_files_answer(struct pages *pages UNUSED, struct http_request *request,
		    const struct page_path *path)
{
	const struct static_file *file =
		strcmp(path->name[0], static_files_hash) == 0
			? static_files_find(path->name[1])
			: NULL;
	const bool gzip = http_takes_gzip(request);

	if (file == NULL) {
		http_refuse(request, 404,
			    "this file is of another version; load the page "
			    "again");
		return;
	}
	http_answer(request,
		    &(struct http_answer){
			    .code = 200,
			    .type = type_of(file->name),
			    .bytes = gzip ? file->gzipped : file->bytes,
			    .n = gzip ? file->gzipped_n : file->n,
			    .constant = true,
			    .gzipped = gzip,
		    });
}
