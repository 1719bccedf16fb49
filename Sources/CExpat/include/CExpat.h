#ifndef CEXPAT_H
#define CEXPAT_H

// The part of libexpat that is used, declared here so that building needs no libexpat headers. These
// signatures are libexpat's binary interface, which does not change within libexpat.so.1. The library
// is loaded when it is first used.

#include <stddef.h>

typedef struct XML_ParserStruct *expat_parser;

typedef void (*expat_start_element)(void *user, const char *name, const char **attributes);
typedef void (*expat_end_element)(void *user, const char *name);
typedef void (*expat_characters)(void *user, const char *bytes, int count);
typedef void (*expat_start_doctype)(
    void *user, const char *name, const char *system, const char *public_id, int has_internal_subset);

typedef struct {
  expat_parser (*create)(const char *encoding, char separator);
  void (*free)(expat_parser parser);
  void (*set_user)(expat_parser parser, void *user);
  void (*set_elements)(
      expat_parser parser, expat_start_element start, expat_end_element end);
  void (*set_characters)(expat_parser parser, expat_characters handler);
  void (*set_start_doctype)(expat_parser parser, expat_start_doctype handler);
  /// Parses the next bytes. Returns 1 on success and 0 after an error.
  int (*parse)(expat_parser parser, const char *bytes, int count, int is_final);
  int (*stop)(expat_parser parser, unsigned char is_resumable);
} expat_functions;

/// Loads libexpat. Returns NULL if the system has none; further calls are cheap.
const expat_functions *expat_load(void);

#endif
