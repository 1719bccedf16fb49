/// Who made a change of a list, as its log stores it.
package enum ChangeAuthor: String, Sendable, CaseIterable {
  /// A front-end or a command on this machine.
  case local
  /// A saved document.
  case document
  /// An assistant.
  case assistant
  /// The source of the list.
  case source
}

/// How much the log of changes of a list keeps: the newest `countMin` changes and those of the last
/// `daysMin` days, as far as they fit in `bytesMax`.
package enum ChangeLimits {
  package static let countMin: Int64 = 1_000
  package static let daysMin: Int64 = 30
  package static let bytesMax: Int64 = 64 << 20
}
