/// The name and version of this program.
package enum Product {
  package static let name = "todo-server"
  package static let version = "0.2.0"
  /// The recipients of crash reports, as named in the message that asks the user to send a report.
  package static let crashRecipient: StaticString = "those who gave you todo-server"
}
