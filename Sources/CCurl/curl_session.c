#include "CCurl.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libcurl.h"

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  size_t count_max;
  bool is_too_large;
} byte_buffer;

struct curl_session {
  const libcurl *curl;
  CURLM *multi;
  CURL *easy;
  atomic_bool is_cancelled;
  byte_buffer headers;
  byte_buffer body;
  int status;
  /// The bytes transferred in both directions, and the time of the last one.
  int64_t bytes_moved;
  int64_t moved_at;
};

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool append(byte_buffer *buffer, const void *bytes, size_t count) {
  if (count > buffer->count_max - buffer->count) {
    buffer->is_too_large = true;
    return false;
  }
  if (count > buffer->capacity - buffer->count) {
    size_t capacity = buffer->capacity ? buffer->capacity : 4096;
    while (capacity < buffer->count + count) capacity *= 2;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (!grown) return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return true;
}

static void start(byte_buffer *buffer, size_t count_max) {
  // Release the memory of a large response, which would otherwise last as long as the session.
  if (buffer->capacity > 1 << 20) {
    free(buffer->bytes);
    buffer->bytes = NULL;
    buffer->capacity = 0;
  }
  buffer->count = 0;
  buffer->count_max = count_max;
  buffer->is_too_large = false;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
  curl_session *session = context;
  // A status line starts another response: the previous one was interim (100 Continue).
  if (size * count >= 5 && memcmp(bytes, "HTTP/", 5) == 0) session->headers.count = 0;
  return append(&session->headers, bytes, size * count) ? size * count : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  curl_session *session = context;
  return append(&session->body, bytes, size * count) ? size * count : 0;
}

static int on_progress(
    void *context, int64_t down_total, int64_t down, int64_t up_total, int64_t up) {
  (void)down_total;
  (void)up_total;
  curl_session *session = context;
  if (down + up != session->bytes_moved) {
    session->bytes_moved = down + up;
    session->moved_at = now_milliseconds();
  }
  return atomic_load(&session->is_cancelled);
}

bool curl_session_available(void) { return libcurl_load() != NULL; }

curl_session *curl_session_make(void) {
  const libcurl *curl = libcurl_load();
  if (!curl) return NULL;
  curl_session *session = calloc(1, sizeof *session);
  if (!session) return NULL;
  session->curl = curl;
  session->multi = curl->multi_init();
  session->easy = curl->easy_init();
  if (!session->multi || !session->easy) {
    curl_session_free(session);
    return NULL;
  }
  return session;
}

void curl_session_free(curl_session *session) {
  if (!session) return;
  if (session->easy) session->curl->easy_cleanup(session->easy);
  if (session->multi) session->curl->multi_cleanup(session->multi);
  free(session->headers.bytes);
  free(session->body.bytes);
  free(session);
}

void curl_session_cancel(curl_session *session) {
  atomic_store(&session->is_cancelled, true);
  session->curl->multi_wakeup(session->multi);
}

/// Sets all options of the request. Returns false if libcurl refuses an option.
static bool prepare(
    curl_session *session, const curl_session_request *request, struct curl_slist *headers) {
  const libcurl *curl = session->curl;
  CURL *easy = session->easy;
  // Resets the options only, not the connections.
  curl->easy_reset(easy);
  int refused = 0;
  refused |= curl->easy_setopt(easy, CURLOPT_URL, request->url);
  refused |= curl->easy_setopt(easy, CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_OR_HTTPS);
  // A redirect may lead to another host, which the caller must check first.
  refused |= curl->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  refused |= curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  refused |= curl->easy_setopt(
      easy, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds_max);
  refused |= curl->easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  // If a reused connection breaks, libcurl repeats the request. A request other than a GET could
  // then take effect twice. Only a fresh connection prevents this.
  if (strcmp(request->method, "GET") != 0) {
    refused |= curl->easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  }
  if (request->body) {
    refused |= curl->easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)request->body_count);
    refused |= curl->easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
  }
  refused |= curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  refused |= curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  refused |= curl->easy_setopt(easy, CURLOPT_HEADERDATA, session);
  refused |= curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  refused |= curl->easy_setopt(easy, CURLOPT_WRITEDATA, session);
  refused |= curl->easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  refused |= curl->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
  refused |= curl->easy_setopt(easy, CURLOPT_XFERINFODATA, session);
  if (request->certificates) {
    refused |= curl->easy_setopt(easy, CURLOPT_CAINFO, request->certificates);
  }
  if (request->is_direct) refused |= curl->easy_setopt(easy, CURLOPT_NOPROXY, "*");
  // Two optional settings, whose results are not checked: accept all encodings that this libcurl
  // supports, and keep the proxy's headers out of the response headers.
  curl->easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl->easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  return refused == 0;
}

static curl_session_outcome outcome_of(int code, const curl_session *session) {
  switch (code) {
    case CURLE_OK:
      return CURL_SESSION_ANSWERED;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
      return CURL_SESSION_OFFLINE;
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      // If a connection breaks before the first header, there is no response.
      return session->headers.count ? CURL_SESSION_INVALID_RESPONSE : CURL_SESSION_OFFLINE;
    case CURLE_OPERATION_TIMEDOUT:
      return CURL_SESSION_TIMED_OUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_SHUTDOWN_FAILED:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return CURL_SESSION_UNTRUSTED;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_PARTIAL_FILE:
    case CURLE_BAD_CONTENT_ENCODING:
      return CURL_SESSION_INVALID_RESPONSE;
    case CURLE_WRITE_ERROR:
      return session->headers.is_too_large || session->body.is_too_large ? CURL_SESSION_TOO_LARGE
                                                                        : CURL_SESSION_FAILED;
    case CURLE_TOO_LARGE:
      return CURL_SESSION_TOO_LARGE;
    case CURLE_ABORTED_BY_CALLBACK:
      return CURL_SESSION_CANCELLED;
    default:
      return CURL_SESSION_FAILED;
  }
}

/// Runs the transfer until it ends, is cancelled, stalls or times out.
static curl_session_outcome drive(
    curl_session *session, int64_t idle_milliseconds_max, int64_t milliseconds_max) {
  const libcurl *curl = session->curl;
  int64_t end = now_milliseconds() + milliseconds_max;
  while (true) {
    int running = 0;
    if (curl->multi_perform(session->multi, &running) != 0) return CURL_SESSION_FAILED;
    if (!running) break;
    if (atomic_load(&session->is_cancelled)) return CURL_SESSION_CANCELLED;
    int64_t still_end = session->moved_at + idle_milliseconds_max;
    int64_t rest = (still_end < end ? still_end : end) - now_milliseconds();
    if (rest <= 0) return CURL_SESSION_TIMED_OUT;
    if (curl->multi_poll(session->multi, NULL, 0, rest < 1000 ? (int)rest : 1000, NULL) != 0) {
      return CURL_SESSION_FAILED;
    }
  }
  int left = 0;
  curl_message *message;
  while ((message = curl->multi_info_read(session->multi, &left))) {
    if (message->msg == CURLMSG_DONE) return outcome_of(message->data.result, session);
  }
  return CURL_SESSION_FAILED;
}

curl_session_outcome curl_session_perform(
    curl_session *session, const curl_session_request *request) {
  const libcurl *curl = session->curl;
  start(&session->headers, request->header_bytes_max);
  start(&session->body, request->body_bytes_max);
  session->status = 0;
  session->bytes_moved = 0;
  session->moved_at = now_milliseconds();

  struct curl_slist *headers = NULL;
  bool is_ready = true;
  for (size_t i = 0; is_ready && i < request->header_count; i++) {
    struct curl_slist *longer = curl->slist_append(headers, request->headers[i]);
    is_ready = longer != NULL;
    if (longer) headers = longer;
  }
  curl_session_outcome outcome = CURL_SESSION_FAILED;
  if (is_ready && prepare(session, request, headers)
      && curl->multi_add_handle(session->multi, session->easy) == 0) {
    outcome = drive(session, request->idle_milliseconds_max, request->milliseconds_max);
    long status = 0;
    curl->easy_getinfo(session->easy, CURLINFO_RESPONSE_CODE, &status);
    session->status = (int)status;
    curl->multi_remove_handle(session->multi, session->easy);
  }
  // The options refer to memory of the caller, which may be released after this call.
  curl->easy_reset(session->easy);
  curl->slist_free_all(headers);
  return outcome;
}

int curl_session_status(const curl_session *session) { return session->status; }

const uint8_t *curl_session_headers(const curl_session *session, size_t *count) {
  *count = session->headers.count;
  return session->headers.bytes;
}

const uint8_t *curl_session_body(const curl_session *session, size_t *count) {
  *count = session->body.count;
  return session->body.bytes;
}
