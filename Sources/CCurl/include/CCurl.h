#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One HTTP request at a time over the system's libcurl, which is loaded when it is first used.
///
/// A session keeps its connections, so the next request to the same host is faster. It belongs to
/// one thread at a time; only `curl_session_cancel` may be called from any.

/// How a request ended.
typedef enum {
  CURL_SESSION_ANSWERED,
  CURL_SESSION_CANCELLED,
  /// The name has no address, or nobody listens there, or the connection broke.
  CURL_SESSION_OFFLINE,
  CURL_SESSION_TIMED_OUT,
  /// The other side could not prove who it is.
  CURL_SESSION_UNTRUSTED,
  /// The answer ended early or is no HTTP.
  CURL_SESSION_BROKEN_ANSWER,
  CURL_SESSION_TOO_LARGE,
  /// The request cannot be sent as it is, or there is no memory.
  CURL_SESSION_FAILED,
} curl_session_outcome;

typedef struct {
  const char *method;
  const char *url;
  /// `Name: value` each.
  const char *const *headers;
  size_t header_count;
  /// NULL for a request without a body.
  const uint8_t *body;
  size_t body_count;
  /// A file of certificates to trust, or NULL for the system's.
  const char *certificates;
  /// Speak to the host itself even where the environment names a proxy.
  bool is_direct;
  int64_t connect_milliseconds_max;
  /// How long nothing may arrive or leave.
  int64_t idle_milliseconds_max;
  /// The whole request, however it drips.
  int64_t milliseconds_max;
  size_t header_bytes_max;
  size_t body_bytes_max;
} curl_session_request;

typedef struct curl_session curl_session;

/// Loads libcurl. False when there is none; asking again is cheap.
bool curl_session_available(void);

/// NULL when libcurl or memory is missing.
curl_session *curl_session_make(void);
void curl_session_free(curl_session *session);

/// Sends a request and waits for the whole answer.
curl_session_outcome curl_session_perform(
    curl_session *session, const curl_session_request *request);

/// Makes the request that runs, or the next one, end with CURL_SESSION_CANCELLED.
void curl_session_cancel(curl_session *session);

/// The answer, until the next request: the status, the header lines as they came, and the body
/// without its transfer and content encodings.
int curl_session_status(const curl_session *session);
const uint8_t *curl_session_headers(const curl_session *session, size_t *count);
const uint8_t *curl_session_body(const curl_session *session, size_t *count);

#endif
