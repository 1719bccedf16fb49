#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Performs one HTTP request at a time with the system's libcurl, which is loaded on first use.
///
/// A session reuses its connections, so the next request to the same host is faster. It belongs to
/// one thread at a time; only `curl_session_cancel` may be called from any thread.

/// The outcome of a request.
typedef enum {
  CURL_SESSION_ANSWERED,
  CURL_SESSION_CANCELLED,
  /// The name was not resolved, the connection was refused, or it broke.
  CURL_SESSION_OFFLINE,
  CURL_SESSION_TIMED_OUT,
  /// The server's certificate is not trusted.
  CURL_SESSION_UNTRUSTED,
  /// The response ended early or is not HTTP.
  CURL_SESSION_INVALID_RESPONSE,
  CURL_SESSION_TOO_LARGE,
  /// The request is invalid, or there is not enough memory.
  CURL_SESSION_FAILED,
} curl_session_outcome;

typedef struct {
  const char *method;
  const char *url;
  /// The header lines, each in the form `Name: value`.
  const char *const *headers;
  size_t header_count;
  /// The body; NULL for a request without a body.
  const uint8_t *body;
  size_t body_count;
  /// The path of a file with trusted certificates; NULL for the system's certificates.
  const char *certificates;
  /// Whether to ignore the proxies that the environment names.
  bool is_direct;
  int64_t connect_milliseconds_max;
  /// The maximum time without any transferred byte.
  int64_t idle_milliseconds_max;
  /// The maximum time of the whole request.
  int64_t milliseconds_max;
  size_t header_bytes_max;
  size_t body_bytes_max;
} curl_session_request;

typedef struct curl_session curl_session;

/// Loads libcurl. Returns false if it is missing; further calls are cheap.
bool curl_session_available(void);

/// Creates a session. Returns NULL if libcurl is missing or memory is exhausted.
curl_session *curl_session_make(void);
void curl_session_free(curl_session *session);

/// Sends a request and blocks until the whole response is received.
curl_session_outcome curl_session_perform(
    curl_session *session, const curl_session_request *request);

/// Ends the current request, or the next one, with CURL_SESSION_CANCELLED.
void curl_session_cancel(curl_session *session);

/// The response, valid until the next request: the status, the header lines as received, and the
/// body without its transfer and content encodings.
int curl_session_status(const curl_session *session);
const uint8_t *curl_session_headers(const curl_session *session, size_t *count);
const uint8_t *curl_session_body(const curl_session *session, size_t *count);

#endif
