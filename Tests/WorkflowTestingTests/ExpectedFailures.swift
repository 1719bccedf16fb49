import Synchronization
import Testing

/// Checks that `body` reports exactly these failures, in order. Each failure is given by its line
/// and by parts of its message.
func expectFailures(
  _ expected: [(line: Int, words: [String])], _ body: () -> Void,
  location: SourceLocation = #_sourceLocation
) {
  let reported = Mutex<[Issue]>([])
  withKnownIssue(isIntermittent: true) {
    body()
  } matching: { issue in
    reported.withLock { $0.append(issue) }
    return true
  }
  let issues = reported.withLock { $0 }
  #expect(issues.count == expected.count, "\(issues)", sourceLocation: location)
  for (issue, (line, words)) in zip(issues, expected) {
    let text = issue.comments.map(\.rawValue).joined()
    #expect(issue.sourceLocation?.line == line, "\(text)", sourceLocation: location)
    for word in words {
      #expect(text.contains(word), "\(text)", sourceLocation: location)
    }
  }
}
