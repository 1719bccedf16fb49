/// What this program calls itself.
package enum Product {
  package static let name = "todo-server"
  package static let version = "0.2.0"
  /// The recipients of the line of a crash.
  package static let crashRecipient: StaticString = "those who gave you todo-server"
}
