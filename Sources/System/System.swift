/// The C library under one name, whichever system this is.
///
/// Re-exported, so that a file says `import System` and has what `<unistd.h>` and its kind declare.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif
