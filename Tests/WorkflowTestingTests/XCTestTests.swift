import WorkflowRuntime
import WorkflowTesting
import XCTest

/// Tests the testers under XCTest. This file does not import Testing, as a user of XCTest would
/// not.
final class XCTestTests: XCTestCase {
  private var isCatching = false
  private var caught: [(line: Int, text: String)] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if isCatching {
      caught.append((lineNumber, description))
    } else {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  private func catchFailures(_ body: () -> Void) {
    isCatching = true
    body()
    isCatching = false
  }

  func testABrokenExpectationFailsTheTestWhereItWasWritten() {
    let line = #line + 2
    catchFailures {
      Login.Action.tester(withState: Login.State()).send(action: .cancel).assertNoOutput()
      Login().renderTester().render().assertNoAction()
    }
    XCTAssertEqual(caught.map(\.line), [line, line + 1, line + 1])
    XCTAssert(caught.first?.text.contains("Expected no output") ?? false, "\(caught)")
  }

  func testFulfilledExpectationsPass() {
    catchFailures {
      Login.Action.tester(withState: Login.State()).send(action: .cancel)
        .assert(output: .cancelled)
      WorkflowTestHost(workflow: Login()).host.rendering.sink.send(.cancel)
    }
    XCTAssertEqual(caught.map(\.text), [])
  }
}
