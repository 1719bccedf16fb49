/// Who is asking. GitHub refuses requests that do not say so.
package enum UserAgent {
  /// The version of todo-server.
  package static let version = "0.1.0"
  package static let text = "todo-server/\(version)"
}
