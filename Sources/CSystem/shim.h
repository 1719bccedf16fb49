// Calls that Swift does not see: `syscall` takes any number of arguments, and `pipe2` is declared
// for those alone who ask for all of GNU.
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#ifdef __linux__
#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
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

/// Unmaps the pages of the program's own code and constants. Those that are needed again are mapped
/// again, from the file or from what the system keeps of it, when they are touched.
static inline void unmapProgramPages(void) {
#if defined(__linux__) && defined(__LP64__)
  const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
  const uintptr_t count = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ);
  uintptr_t base = 0;
  if (headers == NULL || page == 0) return;
  for (uintptr_t i = 0; i < count; i++)
    if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
  for (uintptr_t i = 0; i < count; i++) {
    // What is written to would be lost.
    if (headers[i].p_type != PT_LOAD || (headers[i].p_flags & PF_W) != 0) continue;
    const uintptr_t start = (base + headers[i].p_vaddr) / page * page;
    const uintptr_t end = base + headers[i].p_vaddr + headers[i].p_memsz;
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
#endif
}
