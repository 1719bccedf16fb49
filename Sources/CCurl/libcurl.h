#ifndef LIBCURL_H
#define LIBCURL_H

// The subset of libcurl that is used, declared here so that a build needs no libcurl headers. These
// numbers and signatures are libcurl's ABI, which is stable within libcurl.so.4.

#include <stddef.h>
#include <stdint.h>

typedef void CURL;
typedef void CURLM;

struct curl_slist {
  char *data;
  struct curl_slist *next;
};

/// CURLMsg. The last member is a union of a pointer and a CURLcode.
typedef struct {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
} curl_message;

enum {
  CURL_GLOBAL_ALL = 3,
  CURLMSG_DONE = 1,
  CURLINFO_RESPONSE_CODE = 0x200000 + 2,

  CURLPROTO_HTTP_OR_HTTPS = 1 | 2,
};

enum {
  CURLE_OK = 0,
  CURLE_UNSUPPORTED_PROTOCOL = 1,
  CURLE_URL_MALFORMAT = 3,
  CURLE_COULDNT_RESOLVE_PROXY = 5,
  CURLE_COULDNT_RESOLVE_HOST = 6,
  CURLE_COULDNT_CONNECT = 7,
  CURLE_WEIRD_SERVER_REPLY = 8,
  CURLE_HTTP2 = 16,
  CURLE_PARTIAL_FILE = 18,
  CURLE_WRITE_ERROR = 23,
  CURLE_OUT_OF_MEMORY = 27,
  CURLE_OPERATION_TIMEDOUT = 28,
  CURLE_SSL_CONNECT_ERROR = 35,
  CURLE_ABORTED_BY_CALLBACK = 42,
  CURLE_GOT_NOTHING = 52,
  CURLE_SSL_ENGINE_NOTFOUND = 53,
  CURLE_SSL_ENGINE_SETFAILED = 54,
  CURLE_SEND_ERROR = 55,
  CURLE_RECV_ERROR = 56,
  CURLE_SSL_CERTPROBLEM = 58,
  CURLE_SSL_CIPHER = 59,
  CURLE_PEER_FAILED_VERIFICATION = 60,
  CURLE_BAD_CONTENT_ENCODING = 61,
  CURLE_SSL_ENGINE_INITFAILED = 66,
  CURLE_SSL_CACERT_BADFILE = 77,
  CURLE_SSL_SHUTDOWN_FAILED = 80,
  CURLE_SSL_CRL_BADFILE = 82,
  CURLE_SSL_ISSUER_ERROR = 83,
  CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
  CURLE_SSL_INVALIDCERTSTATUS = 91,
  CURLE_HTTP2_STREAM = 92,
  CURLE_TOO_LARGE = 100,
};

// Options that take a number.
enum {
  CURLOPT_NOPROGRESS = 43,
  CURLOPT_FOLLOWLOCATION = 52,
  CURLOPT_POSTFIELDSIZE = 60,
  CURLOPT_FRESH_CONNECT = 74,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_CONNECTTIMEOUT_MS = 156,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
};

// Options that take a pointer.
enum {
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_POSTFIELDS = 10015,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_XFERINFODATA = 10057,
  CURLOPT_CAINFO = 10065,
  CURLOPT_ACCEPT_ENCODING = 10102,
  CURLOPT_NOPROXY = 10177,
};

// Options that take a function.
enum {
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  CURLOPT_XFERINFOFUNCTION = 20219,
};

/// The functions, looked up once in the library.
typedef struct {
  int (*global_init)(long flags);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  int (*easy_setopt)(CURL *, int option, ...);
  int (*easy_getinfo)(CURL *, int info, ...);
  CURLM *(*multi_init)(void);
  int (*multi_cleanup)(CURLM *);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *running);
  int (*multi_poll)(CURLM *, void *extra, unsigned extra_count, int milliseconds, int *ready);
  int (*multi_wakeup)(CURLM *);
  curl_message *(*multi_info_read)(CURLM *, int *left);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} libcurl;

/// Loads libcurl and returns its functions; NULL if the system has no usable libcurl.
const libcurl *libcurl_load(void);

#endif
