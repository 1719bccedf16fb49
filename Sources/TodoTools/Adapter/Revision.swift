/// A revision of the Model Context Protocol, the oldest first.
package enum Revision: String, Sendable, CaseIterable, Comparable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  /// Without a session: each request says by itself what it needs.
  case july2026 = "2026-07-28"

  package static func < (a: Revision, b: Revision) -> Bool { a.rawValue < b.rawValue }

  /// The newest first, as a client would choose.
  static let newestFirst = allCases.sorted(by: >).map(\.rawValue)

  /// What `initialize` is answered with where it asks for something else.
  static let latestWithSession = november2025

  var isStateless: Bool { self == .july2026 }
  var hasAnnotations: Bool { self >= .march2025 }
  var hasProgressMessage: Bool { self >= .march2025 }
  var hasCompletions: Bool { self >= .march2025 }
  /// Titles, output schemas, structured content and questions to the user came together.
  var hasStructuredContent: Bool { self >= .june2025 }
  /// Whether the model is told of wrong arguments, so that it can mend them, rather than its client.
  var tellsModelOfArguments: Bool { self >= .november2025 }

  /// The code for a resource that is not there.
  var missingResourceCode: Int { isStateless ? -32602 : -32002 }
}
