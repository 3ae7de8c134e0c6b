/* tests/unit/disk-faults.h - a disk that fails where it is told to. */
#ifndef TESTS_UNIT_DISK_FAULTS_H
#define TESTS_UNIT_DISK_FAULTS_H

#include <stdatomic.h>

/* While it is true, fsync() fails with EIO. */
extern atomic_bool disk_does_not_sync;
/* Borrowed, or NULL: unlinkat() of a name that begins so is EIO. */
extern _Atomic(const char *) disk_keeps;

#endif
