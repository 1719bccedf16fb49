/// Ends the program because its code uses the runtime wrongly, and says how to use it.
///
/// Not a precondition: the message of one is not printed in release.
@usableFromInline
func programmerError(_ message: String) -> Never {
  fatalError(message, file: "WorkflowRuntime", line: 0)
}
