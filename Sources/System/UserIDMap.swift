/// The mapping of user IDs in the container in which this process runs.
struct UserIDMap {
  /// The user ID that this container shows for files of the machine's root user, if this user is
  /// not mapped into the container: the overflow ID, which the system shows for all unmapped users.
  /// `nil` if the root user is mapped, or if the system reports no mapping.
  let unmappedRootID: uid_t?

  static let own = UserIDMap(
    map: systemText(of: "/proc/self/uid_map"),
    overflow: systemText(of: "/proc/sys/kernel/overflowuid"))

  /// Parses the mapping as described by the system.
  ///
  /// - Parameters:
  ///   - map: The lines of `/proc/self/uid_map`. Each contains three numbers: the first user ID
  ///     inside of the container, the first user ID outside, and the count.
  ///   - overflow: The user ID that the system shows for users that are not mapped.
  init(map: String?, overflow: String?) {
    let lines = (map ?? "").split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { UInt64($0) }
    }
    let isRootMapped = lines.contains { $0.count == 3 && $0[1] == 0 && $0[2] > 0 }
    unmappedRootID = lines.isEmpty || isRootMapped ? nil : Self.number(overflow) ?? 65_534
  }

  private static func number(_ text: String?) -> uid_t? {
    text.flatMap { $0.split(separator: "\n").first }.flatMap { uid_t($0) }
  }
}
