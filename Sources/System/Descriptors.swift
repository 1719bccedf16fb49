/// Writes everything, and waits where the other side has to read first. False when the other side
/// takes no more; `errno` says why.
@discardableResult
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || !canGoOn(descriptor, POLLOUT) {
      return false
    }
  }
  return true
}

/// Reads what there is, at most as much as the buffer takes, and waits where there is nothing yet.
/// 0 at the end of the input; below 0 when it cannot be read, and `errno` says why.
package func readSome(_ buffer: inout [UInt8], from descriptor: Int32) -> Int {
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count >= 0 || !canGoOn(descriptor, POLLIN) { return count }
  }
}

/// The beginning of a short file in which the system says something, such as those of `/proc`; nil
/// where it cannot be read.
package func systemText(of path: String) -> String? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1_024)
  let count = readSome(&bytes, from: file)
  return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}

/// After a call that failed: whether it is to be tried again. Whoever shares the descriptor may
/// have made it one that does not wait, so we do.
private func canGoOn(_ descriptor: Int32, _ event: some BinaryInteger) -> Bool {
  guard errno != EINTR else { return true }
  guard errno == EAGAIN else { return false }
  var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
  return poll(&ready, 1, -1) >= 0 || errno == EINTR
}
