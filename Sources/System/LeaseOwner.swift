/// A name for a process that no other ever has, and whether the one that has it is still there: for
/// what is to end with its process.
package enum LeaseOwner {
  /// This process: its number, when it began, and among which processes its number counts.
  package static let own: String = name(of: getpid()) ?? "\(getpid()) 0 ?"

  /// Whether the process of a name is there. One that cannot be seen from here, such as one in a
  /// container, counts as there.
  package static func isAlive(_ name: String) -> Bool {
    let parts = name.split(separator: " ")
    guard parts.count == 3, let process = pid_t(parts[0]), process > 0, parts[2] == numbering else {
      return true
    }
    if kill(process, 0) != 0, errno == ESRCH { return false }
    // Another one may have got the number since.
    guard let there = self.name(of: process) else { return parts[1] == "0" }
    return there == name
  }

  /// Nil where nothing can be said of the process, or where it has ended and was not reaped.
  private static func name(of process: pid_t) -> String? {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    // The second field is a name in brackets, which may have brackets itself.
    guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "), maxSplits: 20)
    guard fields.count > 19, fields[0].first != UInt8(ascii: "Z") else { return nil }
    return "\(process) \(String(decoding: fields[19], as: UTF8.self)) \(numbering)"
  }

  /// Numbers of processes count within a namespace.
  private static let numbering: String = {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/self/ns/pid", &bytes, bytes.count - 1)
    guard count > 0 else { return "?" }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
