/// Writes all bytes. Blocks while the reader does not read.
///
/// - Returns: `false` if a write fails, with the reason in `errno`.
@discardableResult
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || !mustRetry(descriptor, POLLOUT) {
      return false
    }
  }
  return true
}

/// Reads the available bytes, up to the size of the buffer. Blocks until bytes are available.
///
/// - Returns: The number of bytes; 0 at the end of the input; negative if the read fails, with the
///   reason in `errno`.
package func readSome(_ buffer: inout [UInt8], from descriptor: Int32) -> Int {
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count >= 0 || !mustRetry(descriptor, POLLIN) { return count }
  }
}

/// Returns the first 1,024 bytes of a system file, such as a file in `/proc`; `nil` if it cannot be
/// read.
package func systemText(of path: String) -> String? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1_024)
  let count = readSome(&bytes, from: file)
  return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}

/// Returns whether a failed call must be repeated. If another process has made the shared
/// descriptor non-blocking, first waits until the descriptor is ready.
private func mustRetry(_ descriptor: Int32, _ event: some BinaryInteger) -> Bool {
  guard errno != EINTR else { return true }
  guard errno == EAGAIN else { return false }
  var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  return poll(&ready, 1, -1) >= 0 || errno == EINTR
}
