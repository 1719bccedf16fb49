#include "libcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static libcurl functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void) {
#ifdef __APPLE__
  static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

static void load(void) {
  void *library = open_library();
  if (!library) return;
  const struct {
    const char *name;
    void *function;
  } wanted[] = {
      {"curl_global_init", &functions.global_init},
      {"curl_easy_init", &functions.easy_init},
      {"curl_easy_cleanup", &functions.easy_cleanup},
      {"curl_easy_reset", &functions.easy_reset},
      {"curl_easy_setopt", &functions.easy_setopt},
      {"curl_easy_getinfo", &functions.easy_getinfo},
      {"curl_multi_init", &functions.multi_init},
      {"curl_multi_cleanup", &functions.multi_cleanup},
      {"curl_multi_add_handle", &functions.multi_add_handle},
      {"curl_multi_remove_handle", &functions.multi_remove_handle},
      {"curl_multi_perform", &functions.multi_perform},
      {"curl_multi_poll", &functions.multi_poll},
      {"curl_multi_wakeup", &functions.multi_wakeup},
      {"curl_multi_info_read", &functions.multi_info_read},
      {"curl_slist_append", &functions.slist_append},
      {"curl_slist_free_all", &functions.slist_free_all},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    void *symbol = dlsym(library, wanted[i].name);
    // A function is missing before version 7.68, the first with curl_multi_wakeup.
    if (!symbol) return;
    *(void **)wanted[i].function = symbol;
  }
  // The library stays loaded: its threads and thread-local data must outlive every session.
  is_loaded = functions.global_init(CURL_GLOBAL_ALL) == CURLE_OK;
}

const libcurl *libcurl_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
