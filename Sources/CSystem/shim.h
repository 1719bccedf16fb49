// Calls that Swift does not see: `syscall` takes any number of arguments, and `pipe2` is declared
// for those alone who ask for all of GNU. So is `F_OFD_SETLK`, whose number is the kernel's.
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

/// A descriptor that can be read once the process has ended; -1 and `errno` where there is none.
static inline int openProcessDescriptor(pid_t process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  errno = ENOSYS;
  return -1;
#endif
}

/// Locks one byte of a file, or gives it back, for whoever opened the descriptor. 0, or -1 and
/// `errno`, at once.
static inline int lockByte(int descriptor, off_t offset, int isLock) {
  struct flock range = {0};
  range.l_type = isLock ? F_WRLCK : F_UNLCK;
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &range);
}

/// A descriptor that can be read at a time of the clock, in milliseconds since 1970, or once the clock
/// was set; -1 where there is none.
static inline int openClockTimer(long long milliseconds) {
#ifdef __linux__
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  // Zero would turn the timer off.
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

/// A pipe that no child inherits, also none that another thread starts meanwhile, where the system
/// can do that. 0, or -1 and `errno`.
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

/// Has two names change their files, in one step. 0, or -1 and `errno`: `EINVAL` or `ENOSYS` where
/// the file system cannot do that.
static inline int exchangeFiles(const char *a, const char *b) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 1 << 1);
#else
  (void)a, (void)b;
  errno = ENOSYS;
  return -1;
#endif
}

/// Whether somebody has a file of ours open for writing: 1 or 0, or -1 where that cannot be known.
/// The descriptor is open for reading only. For this, SIGIO must be ignored: the system sends it to
/// whoever asks while another one opens the file.
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

/// The number by which the system and its tools name the calling thread; 0 where it has none.
static inline long threadNumber(void) {
#ifdef SYS_gettid
  return syscall(SYS_gettid);
#else
  return 0;
#endif
}

/// Has the system write no core dump of this process, and let no other process read its memory but
/// those of root.
static inline void keepMemoryPrivate(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
