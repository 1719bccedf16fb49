#ifndef CCRASH_H
#define CCRASH_H

/// Writes one line to stderr when the program crashes, before the signal's default action.
///
///     todo-server crashed: SIGSEGV, stack exhausted. Send this line, ..., to ADDRESS: version 0.2.0,
///     build 8c1d..., frames 2f3a10 2f3b24 - 1a20c4
///
/// The build is the build ID of the program. A frame is an address relative to the program file, as
/// in its debug information; `-` stands for frames in other libraries. The line contains no
/// addresses of data, because Swift stores a short string in place of its address.

/// Installs the handlers, with an alternate stack for the calling thread. Must be called once,
/// while there are no other threads. On systems other than Linux a crash writes no line.
///
/// \param product   the name of the program; up to 31 bytes are copied, as for the version.
/// \param recipient where to send the line: text with static storage.
void crash_report_install(const char *product, const char *version, const char *recipient);

/// Sets up an alternate stack for the calling thread, so that a crash writes its line even if the
/// thread's own stack is exhausted. Does nothing unless the handlers are installed.
void crash_report_begin_thread(void);

/// Releases the alternate stack. Must be called before the thread ends.
void crash_report_end_thread(void);

#endif
