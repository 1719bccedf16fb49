#ifndef CCRASH_H
#define CCRASH_H

/// One line on stderr when the program crashes, before the signal's default action.
///
///     todo-server crashed: SIGSEGV, stack exhausted. Send this line, ..., to ADDRESS: version 0.2.0,
///     build 8c1d..., frames 2f3a10 2f3b24 - 1a20c4
///
/// The build is the build ID of the program. A frame is an address in the program as its debug
/// information has it, wherever it was loaded; `-` stands for frames in other libraries. Addresses
/// of data are left out: Swift stores short texts instead of an address.

/// Installs the handlers, with an alternate stack for the calling thread. To be called once, while
/// there are no other threads. On systems other than Linux a crash has no line.
///
/// \param product   its name and version; they are copied, up to 31 bytes each.
/// \param recipient where to send the line: text with static storage.
void crash_report_install(const char *product, const char *version, const char *recipient);

/// Sets up an alternate stack for the calling thread, so that a crash has its line also when the thread's
/// own stack is exhausted. Does nothing unless the handlers are installed.
void crash_report_begin_thread(void);

/// Releases that stack. To be called before the thread ends.
void crash_report_end_thread(void);

#endif
