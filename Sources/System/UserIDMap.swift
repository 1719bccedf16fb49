/// Which numbers of users mean something in this container.
struct UserIDMap {
  /// The number that root's files have where root has none here, as in a sandbox of one user; nil
  /// where root is known. It stands for all others who have none as well.
  let foreignRoot: uid_t?

  static let own = UserIDMap(
    map: systemText(of: "/proc/self/uid_map"),
    overflow: systemText(of: "/proc/sys/kernel/overflowuid"))

  /// - Parameters:
  ///   - map: Lines of three numbers: the first user here, who that is outside, and how many follow.
  ///   - overflow: The number of all who have none.
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
