/// A revision of the Model Context Protocol. The cases are ordered from the oldest to the newest.
package enum Revision: String, Sendable, CaseIterable, Comparable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  /// Without sessions: each request contains its version and capabilities.
  case july2026 = "2026-07-28"

  package static func < (a: Revision, b: Revision) -> Bool { a.rawValue < b.rawValue }

  /// The revisions, the newest first, in the order of preference.
  static let newestFirst = allCases.sorted(by: >).map(\.rawValue)

  /// The latest revision with sessions. `initialize` returns it if the client requests an unknown
  /// revision, or a revision without sessions.
  static let latestWithSession = november2025

  var isStateless: Bool { self == .july2026 }
  var hasAnnotations: Bool { self >= .march2025 }
  var hasProgressMessage: Bool { self >= .march2025 }
  var hasCompletions: Bool { self >= .march2025 }
  /// Whether the revision has titles, output schemas, structured content and questions to the user.
  /// One revision has added all of these.
  var hasStructuredContent: Bool { self >= .june2025 }
  /// Whether wrong arguments are reported in the tool's result, which the model reads and can
  /// correct, and not as a protocol error.
  var reportsInvalidArgumentsAsResult: Bool { self >= .november2025 }

  /// The code for a resource that does not exist.
  var missingResourceCode: Int { isStateless ? -32602 : -32002 }
}
