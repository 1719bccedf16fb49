/// The C library, under the same module name on all systems.
///
/// It is re-exported: a file that contains `import System` can use the declarations of `<unistd.h>`
/// and similar headers.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif
