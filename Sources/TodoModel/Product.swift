/// What this program calls itself.
package enum Product {
  package static let name = "todo-server"
  package static let version = "0.2.0"
}
