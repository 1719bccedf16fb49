/// The author of a change, as the change log of a list stores it.
package enum ChangeAuthor: String, Sendable, CaseIterable {
  /// A front-end or a command on this machine made the change.
  case local
  /// The user made the change in a document, and saved the document.
  case document
  /// An assistant made the change.
  case assistant
  /// The change was made at the source of the list.
  case source
}

/// The limits for the change log of a list. The log contains the newest `countMin` changes and all
/// changes of the last `daysMin` days, but at most `bytesMax` bytes.
package struct ChangeLimits: Sendable {
  package var countMin: Int64 = 1_000
  package var daysMin: Int64 = 30
  package var bytesMax: Int64 = 64 << 20

  package init() {}
}
