/// Identifies the processes that own leases, and reports whether they are still running. A lease is
/// a right of exclusive use, which ends with the process that owns it.
package enum LeaseOwner {
  /// The name of this process: its process ID, its start time and its PID namespace.
  package static let own: String = name(of: getpid()) ?? "\(getpid()) 0 ?"

  /// Returns whether the process with the given name is running. A process that is not visible,
  /// such as one in another container, counts as running.
  package static func isAlive(_ name: String) -> Bool {
    let parts = name.split(separator: " ")
    guard parts.count == 3, let process = pid_t(parts[0]), process > 0, parts[2] == numbering else {
      return true
    }
    if kill(process, 0) != 0, errno == ESRCH { return false }
    // The process ID may have been assigned to another process since.
    guard let current = self.name(of: process) else { return parts[1] == "0" }
    return current == name
  }

  /// Returns the name of a process; `nil` if the process does not exist or is a zombie.
  private static func name(of process: pid_t) -> String? {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    // The second field is a name in parentheses. It can contain parentheses, too.
    guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "), maxSplits: 20)
    guard fields.count > 19, fields[0].first != UInt8(ascii: "Z") else { return nil }
    return "\(process) \(String(decoding: fields[19], as: UTF8.self)) \(numbering)"
  }

  /// The PID namespace of this process. Process IDs are unique only within a namespace.
  private static let numbering: String = {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &bytes, bytes.count - 1)
    guard count > 0 else { return "?" }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
