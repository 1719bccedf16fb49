/// The mapping of user IDs in this container.
struct UserIDMap {
  /// The user ID shown for root's files if root is not mapped, as in a sandbox with a single user;
  /// `nil` if root is mapped. All other unmapped users have the same ID.
  let foreignRoot: uid_t?

  static let own = UserIDMap(
    map: systemText(of: "/proc/self/uid_map"),
    overflow: systemText(of: "/proc/sys/kernel/overflowuid"))

  /// Parses the files of the system.
  ///
  /// - Parameters:
  ///   - map: lines of three numbers: the first user ID inside, the first outside, and the count.
  ///   - overflow: the ID shown for unmapped users.
  init(map: String?, overflow: String?) {
    let lines = (map ?? "").split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { UInt64($0) }
    }
    let isRootMapped = lines.contains { $0.count == 3 && $0[1] == 0 && $0[2] > 0 }
    foreignRoot = lines.isEmpty || isRootMapped ? nil : Self.number(overflow) ?? 65_534
  }

  private static func number(_ text: String?) -> uid_t? {
    text.flatMap { $0.split(separator: "\n").first }.flatMap { uid_t($0) }
  }
}
