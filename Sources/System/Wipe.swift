/// Overwrites memory that contained a secret. The compiler cannot remove this call as unnecessary.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
  guard let address = bytes.baseAddress else { return }
  #if canImport(Glibc)
    explicit_bzero(address, bytes.count)
  #else
    memset_s(address, bytes.count, 0, bytes.count)
  #endif
}

/// Returns the system's message for an error number.
package func systemReason(_ number: CInt) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
