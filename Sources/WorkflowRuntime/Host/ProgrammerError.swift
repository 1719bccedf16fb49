/// Ends the program because of a programmer error, with a message that states the correct usage.
///
/// Not a precondition: release builds do not print the message of one.
@usableFromInline
func programmerError(_ message: String) -> Never {
  fatalError(message, file: "WorkflowRuntime", line: 0)
}
