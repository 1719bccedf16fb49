// The floor under ServerBenchmark: the least work that a server on stdin and stdout can do.
//
// It cuts the input by Content-Length, looks for the id with a search for bytes, and answers every
// request with the same error. No JSON is read, nothing is checked, and the input is trusted; so
// no server that does its job can be much faster. It writes when it has answered all that came.

#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char *bytes;
  size_t start, end, capacity;
} Buffer;

static Buffer input, output;
static bool isShutDown;

static void reserve(Buffer *buffer, size_t count) {
  if (buffer->start > 0) {
    memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->end - buffer->start);
    buffer->end -= buffer->start;
    buffer->start = 0;
  }
  if (buffer->capacity - buffer->end >= count) return;
  buffer->capacity = 2 * (buffer->end + count);
  buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  if (!buffer->bytes) exit(2);
}

static void writeOut(void) {
  while (output.start < output.end) {
    ssize_t count = write(STDOUT_FILENO, output.bytes + output.start, output.end - output.start);
    if (count <= 0) exit(1);
    output.start += (size_t)count;
  }
  output.start = output.end = 0;
}

/// Appends a frame to the output, and writes it once it fills a pipe.
static void appendFrame(const char *body, size_t count) {
  char header[64];
  int headerCount = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", count);
  if (output.capacity - output.end < count + sizeof header) reserve(&output, count + sizeof header);
  memcpy(output.bytes + output.end, header, (size_t)headerCount);
  memcpy(output.bytes + output.end + headerCount, body, count);
  output.end += (size_t)headerCount + count;
  if (output.end >= 1 << 16) writeOut();
}

static void answer(const char *id, int idCount, const char *outcome) {
  char body[512];
  int count = snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s}", idCount, id, outcome);
  appendFrame(body, (size_t)count);
}

static void handle(const char *body, size_t count) {
  // The members that matter are at the front, however long the params are.
  size_t frontCount = count < 256 ? count : 256;
  const char *method = memmem(body, frontCount, "\"method\":\"", 10);
  const char *id = memmem(body, frontCount, "\"id\":", 5);
  if (!method) return;
  method += 10;
  if (!id) {
    if (strncmp(method, "exit\"", 5) == 0) {
      writeOut();
      exit(isShutDown ? 0 : 1);
    }
    return;
  }
  id += 5;
  int idCount = (int)strcspn(id, ",}");
  if (strncmp(method, "initialize\"", 11) == 0) {
    answer(id, idCount, "\"result\":{\"capabilities\":{}}");
  } else if (strncmp(method, "shutdown\"", 9) == 0) {
    isShutDown = true;
    answer(id, idCount, "\"result\":null");
  } else {
    answer(id, idCount, "\"error\":{\"code\":-32601,\"message\":\"method not found\"}");
  }
}

/// Handles a frame if it is complete; otherwise returns the least number of missing bytes.
static size_t handleFrame(void) {
  static const char lengthName[] = "Content-Length: ";
  size_t count = input.end - input.start;
  char *header = input.bytes + input.start;
  char *blank = count ? memmem(header, count, "\r\n\r\n", 4) : NULL;
  if (!blank) return 1;
  char *length = memmem(header, (size_t)(blank - header), lengthName, sizeof lengthName - 1);
  if (!length) exit(2);
  size_t bodyCount = strtoul(length + sizeof lengthName - 1, NULL, 10);
  size_t frameCount = (size_t)(blank + 4 - header) + bodyCount;
  if (count < frameCount) return frameCount - count;
  handle(blank + 4, bodyCount);
  input.start += frameCount;
  if (input.start == input.end) input.start = input.end = 0;
  return 0;
}

int main(void) {
  while (true) {
    size_t missingCount = handleFrame();
    if (missingCount == 0) continue;
    writeOut();
    if (input.capacity - input.end < missingCount || input.capacity == input.end) {
      reserve(&input, missingCount < 1 << 16 ? 1 << 16 : missingCount);
    }
    ssize_t count = read(STDIN_FILENO, input.bytes + input.end, input.capacity - input.end);
    if (count <= 0) return isShutDown ? 0 : 1;
    input.end += (size_t)count;
  }
}
