// Calls that Swift does not see: `syscall` takes any number of arguments, and `pipe2` is declared
// for those alone who ask for all of GNU.
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#ifdef __linux__
#include <sys/syscall.h>
extern int pipe2(int ends[2], int flags);
#endif
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
