// Has a mirror's system calls fail, as file systems do that a test cannot have: LD_PRELOAD it and
// name the fault in MIRROR_FAULT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

static int has(const char *fault) {
  const char *named = getenv("MIRROR_FAULT");
  return named != NULL && strstr(named, fault) != NULL;
}

// A file system that cannot exchange two files.
long syscall(long number, ...) {
  long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2 && has("exchange")) {
    errno = EINVAL;
    return -1;
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// A folder that nothing can be added to.
static int is_refused(const char *path, int flags) {
  if ((flags & O_CREAT) == 0 || strstr(path, ".todo-server-") == NULL || !has("readonly")) return 0;
  errno = EROFS;
  return 1;
}

int open(const char *path, int flags, ...) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return is_refused(path, flags) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return is_refused(path, flags) ? -1 : real(path, flags, mode);
}

// A full disk: half of a text fits.
ssize_t write(int descriptor, const void *bytes, size_t count) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(name, path, sizeof path - 1);
  if (length > 0 && access(getenv("MIRROR_FULL") ? getenv("MIRROR_FULL") : "", F_OK) == 0) {
    path[length] = 0;
    if (strstr(path, ".todo-server-") != NULL || strstr(path, ".unreadable-") != NULL) {
      if (count > 40) return real(descriptor, bytes, 40);
      errno = ENOSPC;
      return -1;
    }
  }
  return real(descriptor, bytes, count);
}

// A system without events, such as for changes by another machine.
int inotify_init1(int flags) {
  int (*real)(int) = dlsym(RTLD_NEXT, "inotify_init1");
  if (has("inotify")) {
    errno = ENOSYS;
    return -1;
  }
  return real(flags);
}
