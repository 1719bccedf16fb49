// All code that runs after a crash is async-signal-safe: system calls, memory allocated at startup,
// and the unwinder of libgcc. Since glibc 2.35 the unwinder finds its tables without a lock and
// allocates nothing. The unwinder reads a stack that may be damaged. If it crashes, the handler is
// called again, and the line contains the frames found so far. After a jump to an address without
// code, it contains no frames.
#define _GNU_SOURCE
#include "crash.h"

#include <signal.h>
#include <stddef.h>

static const int crash_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };

#ifdef __linux__

#include <elf.h>
#include <link.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum {
  // A handler and the unwinder take 12 KiB if the processor saves 3 KiB of registers.
  alternate_stack_bytes = 64 * 1024,
  frames_max = 32,
  // Front-ends show 1,000 characters. A pipe accepts a line of this size atomically.
  line_bytes_max = 1000,
  name_bytes_max = 32,
  // If stderr is not read for this long, the line is dropped and the program still ends.
  write_milliseconds_max = 1000,
};

// Defined by the linker: the start and end of the program in memory.
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static char product_name[name_bytes_max];
static char product_version[name_bytes_max];
static const char *report_recipient;
static bool is_installed;
static char main_alternate_stack[alternate_stack_bytes] __attribute__((aligned(16)));

// The thread that writes the line, and the signal that it handles.
static atomic_int reporting_thread;
static volatile sig_atomic_t reported_signal;

static char line[line_bytes_max];
static volatile size_t line_length;

static void append(const char *text) {
  // One byte is reserved for the end of the line.
  while (*text && line_length < sizeof line - 1) line[line_length++] = *text++;
}

static void append_hex(uintptr_t number) {
  char digits[2 * sizeof number + 1];
  size_t position = sizeof digits - 1;
  digits[position] = 0;
  do {
    digits[--position] = "0123456789abcdef"[number & 15];
    number >>= 4;
  } while (number);
  append(&digits[position]);
}

// MARK: What happened

static const char *signal_name(int number) {
  switch (number) {
  case SIGABRT: return "SIGABRT";
  case SIGBUS: return "SIGBUS";
  case SIGFPE: return "SIGFPE";
  case SIGILL: return "SIGILL";
  case SIGTRAP: return "SIGTRAP";
  default: return "SIGSEGV";
  }
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.sp;
#else
  return 0;
#endif
}

static uintptr_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  return 0;
#endif
}

// Whether an access near the end of the stack failed. A function with a large frame first touches a
// page below the guard page.
static bool is_stack_exhausted(int number, const siginfo_t *info, const ucontext_t *context) {
  const uintptr_t reach = 256 * 1024;
  uintptr_t top = stack_pointer(context), address = (uintptr_t)info->si_addr;
  return (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 && address + reach > top
      && address < top + reach;
}

static const char *reason(int number, const siginfo_t *info, const ucontext_t *context) {
  if (is_stack_exhausted(number, info, context)) return ", stack exhausted";
  bool is_raised = number == SIGABRT && info->si_code == SI_TKILL;
  if (info->si_code <= 0 && !is_raised) return ", sent by a process";
  switch (number) {
  case SIGABRT: return ", aborted";
  case SIGBUS: return ", memory not available";
  case SIGFPE: return ", invalid arithmetic";
  case SIGILL:
  case SIGTRAP: return ", failed check";
  default: return ", invalid memory access";
  }
}

// MARK: Where

// The difference between the addresses in memory and those in the file.
static uintptr_t load_offset(void) {
  const char *start = (const char *)&__ehdr_start;
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)(start + __ehdr_start.e_phoff);
  for (int index = 0; index < __ehdr_start.e_phnum; index++)
    if (headers[index].p_type == PT_LOAD) return (uintptr_t)start - headers[index].p_vaddr;
  return (uintptr_t)start;
}

// The build ID is a note in the program; "unknown" if the linker wrote none.
static void append_build_id(void) {
  const char *start = (const char *)&__ehdr_start;
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)(start + __ehdr_start.e_phoff);
  for (int index = 0; index < __ehdr_start.e_phnum; index++) {
    if (headers[index].p_type != PT_NOTE) continue;
    const char *note = (const char *)(load_offset() + headers[index].p_vaddr);
    const char *end = note + headers[index].p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
      const char *name = note + sizeof *header;
      const char *content = name + ((header->n_namesz + 3) & ~3u);
      note = content + ((header->n_descsz + 3) & ~3u);
      if (header->n_type != NT_GNU_BUILD_ID || memcmp(name, "GNU", 4) != 0) continue;
      for (size_t byte = 0; byte < header->n_descsz; byte++) {
        if (!((unsigned char)content[byte] >> 4)) append("0");
        append_hex((unsigned char)content[byte]);
      }
      return;
    }
  }
  append("unknown");
}

struct walk {
  uintptr_t crash_address;
  uintptr_t offset;
  int count;
  bool has_reached_crash;
  bool is_outside;
};

static void append_frame(struct walk *walk, uintptr_t address) {
  bool is_outside = address < (uintptr_t)&__ehdr_start || address >= (uintptr_t)_end;
  if (!is_outside) {
    append(" ");
    append_hex(address - walk->offset);
  } else if (!walk->is_outside) {
    append(" -");
  }
  walk->is_outside = is_outside;
  walk->count += 1;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *argument) {
  struct walk *walk = argument;
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // The first frames are those of the handler.
  if (!walk->has_reached_crash && address != walk->crash_address) return _URC_NO_REASON;
  if (!address) return _URC_END_OF_STACK;
  // A return address may belong to the next line, or to the next function.
  append_frame(walk, walk->has_reached_crash && !is_exact ? address - 1 : address);
  walk->has_reached_crash = true;
  return walk->count < frames_max ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void append_frames(const ucontext_t *context) {
  struct walk walk = {.crash_address = program_counter(context), .offset = load_offset()};
  append(", frames");
  _Unwind_Backtrace(visit_frame, &walk);
}

// MARK: The line

static void write_line(void) {
  line[line_length] = '\n';
  struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&output, 1, write_milliseconds_max) != 1 || !(output.revents & POLLOUT)) return;
  ssize_t count = write(STDERR_FILENO, line, line_length + 1);
  (void)count;
}

// Ends the program as the signal would have without a handler.
static void end_by_signal(int number) {
  sigset_t only;
  signal(number, SIG_DFL);
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
  _exit(128 + number);
}

static void report_crash(int number, siginfo_t *info, void *argument) {
  const ucontext_t *context = argument;
  int reporter = 0, thread = (int)syscall(SYS_gettid);
  if (atomic_compare_exchange_strong(&reporting_thread, &reporter, thread)) {
    reported_signal = number;
    append(product_name);
    append(" crashed: ");
    append(signal_name(number));
    append(reason(number, info, context));
    append(". Send this line, which has none of your text, to ");
    append(report_recipient);
    append(": version ");
    append(product_version);
    append(", build ");
    append_build_id();
    append_frames(context);
  } else if (reporter != thread) {
    // The reporting thread ends the program, unless it hangs.
    poll(NULL, 0, 2 * write_milliseconds_max);
  }
  // This is also reached in a second call, after a crash of the unwinder.
  write_line();
  end_by_signal(reported_signal);
}

static void copy_name(char copy[name_bytes_max], const char *name) {
  strncpy(copy, name, name_bytes_max - 1);
}

static void use_alternate_stack(void *memory) {
  stack_t stack = {.ss_sp = memory, .ss_size = alternate_stack_bytes};
  sigaltstack(&stack, NULL);
}

void crash_report_install(const char *product, const char *version, const char *recipient) {
  copy_name(product_name, product);
  copy_name(product_version, version);
  report_recipient = recipient;
  is_installed = true;
  use_alternate_stack(main_alternate_stack);
  // A crash in the handler calls it again; other signals are blocked, including SIGPIPE.
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  action.sa_sigaction = report_crash;
  sigfillset(&action.sa_mask);
  for (int index = 0; index < crash_signal_count; index++)
    sigdelset(&action.sa_mask, crash_signals[index]);
  for (int index = 0; index < crash_signal_count; index++)
    sigaction(crash_signals[index], &action, NULL);
}

void crash_report_begin_thread(void) {
  if (!is_installed) return;
  void *memory = mmap(
      NULL, alternate_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) use_alternate_stack(memory);
}

void crash_report_end_thread(void) {
  stack_t stack, none = {.ss_flags = SS_DISABLE};
  if (!is_installed || sigaltstack(&none, &stack) != 0 || stack.ss_flags & SS_DISABLE) return;
  munmap(stack.ss_sp, stack.ss_size);
}

#else

void crash_report_install(const char *product, const char *version, const char *recipient) {
  (void)product, (void)version, (void)recipient;
  for (int index = 0; index < crash_signal_count; index++) signal(crash_signals[index], SIG_DFL);
}

void crash_report_begin_thread(void) {}
void crash_report_end_thread(void) {}

#endif
