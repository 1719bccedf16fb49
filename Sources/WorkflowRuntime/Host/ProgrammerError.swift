/// Ends the program because of a programmer error, with a message that states the correct usage.
///
/// It does not use `preconditionFailure`, whose message is not printed in release builds.
@usableFromInline
func programmerError(_ message: String) -> Never {
  fatalError(message, file: "WorkflowRuntime", line: 0)
}
