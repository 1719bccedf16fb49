#include "CExpat.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static expat_functions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("/usr/lib/libexpat.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return;
  const struct {
    const char *name;
    void *function;
  } wanted[] = {
      {"XML_ParserCreateNS", &functions.create},
      {"XML_ParserFree", &functions.free},
      {"XML_SetUserData", &functions.set_user},
      {"XML_SetElementHandler", &functions.set_elements},
      {"XML_SetCharacterDataHandler", &functions.set_characters},
      {"XML_SetStartDoctypeDeclHandler", &functions.set_start_doctype},
      {"XML_Parse", &functions.parse},
      {"XML_StopParser", &functions.stop},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    void *symbol = dlsym(library, wanted[i].name);
    if (!symbol) return;
    *(void **)wanted[i].function = symbol;
  }
  is_loaded = true;
}

const expat_functions *expat_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
