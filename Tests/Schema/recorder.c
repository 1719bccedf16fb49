// Runs between a front-end and its server, and records the messages of both.
//
//     clang -DSERVER='"/path/of/todo-server"' -DFOLDER='"/path/of/a/folder"' -o recorder recorder.c
//
// Both paths are compiled in, because some tests start it with an empty environment. The server
// replaces this process, so that its process ID, its signals and its exit code are its own; two
// other processes forward all bytes and write them to FOLDER/TIME-ID.in and .out. Commands without
// messages of the protocol, such as `doctor` and `lsp`, are not recorded. In C for a fast start:
// the tests of a front-end start a server a hundred times.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int is_conversation(int count, char **arguments) {
  const char *others[] = {"replay", "schema", "doctor",    "export", "import",
                          "passwd", "mirror", "lsp",       "mcp",    "-h",
                          "--version", "--help"};
  for (int i = 1; i < count; i++)
    for (size_t other = 0; other < sizeof others / sizeof *others; other++)
      if (!strcmp(arguments[i], others[other])) return 0;
  return 1;
}

static int kept(long long time, const char *extension) {
  char path[4096];
  snprintf(path, sizeof path, FOLDER "/%lld-%d.%s", time, (int)getpid(), extension);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail(path);
  return file;
}

static int write_all(int descriptor, const char *bytes, ssize_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      struct pollfd writable = {descriptor, POLLOUT, 0};
      poll(&writable, 1, -1);
      continue;
    }
    if (written < 0) return 0;
    bytes += written;
    count -= written;
  }
  return 1;
}

// Forwards the available bytes. Returns false if either side has ended.
static int pass(int from, int to, int file) {
  char bytes[65536];
  ssize_t count = read(from, bytes, sizeof bytes);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 1;
  return count > 0 && write_all(file, bytes, count) && write_all(to, bytes, count);
}

// Forwards all bytes until one side ends. There is one process for each direction, so that neither
// blocks the other.
static void pass_on(int from, int to, int file) {
  struct pollfd ends[2] = {{from, POLLIN, 0}, {to, 0, 0}};
  while (poll(ends, 2, -1) >= 0 || errno == EINTR) {
    if (ends[0].revents && !pass(from, to, file)) break;
    if (!ends[0].revents && ends[1].revents) break;
  }
  _exit(0);
}

static void fork_passers(const int input[2], const int output[2], int in_file, int out_file) {
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) {
    waitpid(child, NULL, 0);
    return;
  }
  // A signal that ends the server must not end these processes first.
  int signals[] = {SIGPIPE, SIGHUP, SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_IGN);
  close(2);
  close(input[0]);
  close(output[1]);
  pid_t first = fork();
  if (first == 0) {
    close(1);
    close(output[0]);
    pass_on(0, input[1], in_file);
  }
  pid_t second = first < 0 ? -1 : fork();
  if (second == 0) {
    close(0);
    close(input[1]);
    pass_on(output[0], 1, out_file);
  }
  // Detached, because the server must not have a child process that it does not know.
  _exit(second < 0);
}

int main(int count, char **arguments) {
  if (is_conversation(count, arguments)) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long long time = now.tv_sec * 1000000000LL + now.tv_nsec;
    int in_file = kept(time, "in"), out_file = kept(time, "out");
    int input[2], output[2];
    if (pipe(input) || pipe(output)) fail("pipe");
    fork_passers(input, output, in_file, out_file);
    if (dup2(input[0], 0) < 0 || dup2(output[1], 1) < 0) fail("dup2");
    for (int end = 0; end < 2; end++) {
      close(input[end]);
      close(output[end]);
    }
  }
  arguments[0] = SERVER;
  execv(SERVER, arguments);
  fail(SERVER);
}
