// Functions that Swift does not import: `syscall` is variadic, and `pipe2` and `F_OFD_SETLK` are
// declared only with _GNU_SOURCE.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/types.h>
#ifdef __linux__
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
extern int pipe2(int ends[2], int flags);
#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif
#endif
#include <sys/resource.h>
#include <unistd.h>

/// Returns a descriptor (pidfd) that becomes readable when the process ends; -1 and `errno` on
/// failure.
static inline int openProcessDescriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  errno = ENOSYS;
  return -1;
#endif
}

/// Locks or unlocks one byte of a file for the open file description, without blocking. Returns 0,
/// or -1 and `errno`.
static inline int lockByte(int descriptor, off_t offset, int isLock) {
  struct flock range = {0};
  range.l_type = isLock ? F_WRLCK : F_UNLCK;
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &range);
}

/// Returns a descriptor that becomes readable at a wall-clock time, in milliseconds since 1970, or
/// when the clock is set; -1 if the system has no such timers.
static inline int openClockTimer(long long milliseconds) {
#ifdef __linux__
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  // Zero would disarm the timer.
  if (milliseconds < 1) milliseconds = 1;
  struct itimerspec end = {0};
  end.it_value.tv_sec = milliseconds / 1000;
  end.it_value.tv_nsec = milliseconds % 1000 * 1000000;
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &end, 0) == 0) return timer;
  close(timer);
#else
  (void)milliseconds;
#endif
  return -1;
}

/// Creates a pipe that child processes do not inherit. On Linux, this includes a child process that
/// another thread starts at the same time. Returns 0, or -1 and `errno`.
static inline int openPrivatePipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

/// Exchanges two files atomically. Returns 0, or -1 and `errno`: `EINVAL` or `ENOSYS` if the file
/// system does not support it.
static inline int exchangeFiles(const char *a, const char *b) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 1 << 1);
#else
  (void)a, (void)b;
  errno = ENOSYS;
  return -1;
#endif
}

/// Whether any process has a file of this user open for writing: 1 or 0; -1 if that is unknown. The
/// descriptor must be open for reading only. The caller must ignore SIGIO, because the kernel sends
/// it to this process if another process opens the file during the call.
static inline int hasWriter(int descriptor) {
#if defined(__linux__)
  const int setLease = 1024;
  if (fcntl(descriptor, setLease, F_RDLCK) == 0) {
    fcntl(descriptor, setLease, F_UNLCK);
    return 0;
  }
  return errno == EAGAIN ? 1 : -1;
#else
  (void)descriptor;
  return -1;
#endif
}

/// Returns the kernel's ID of the calling thread; 0 if the system has none.
static inline long currentThreadID(void) {
#ifdef SYS_gettid
  return syscall(SYS_gettid);
#else
  return 0;
#endif
}

/// Turns off core dumps of this process, and prevents processes other than root's from reading its
/// memory.
static inline void protectMemory(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
