import Swift5
import Swift6
import WorkflowRuntime
import WorkflowTesting
import XCTest

/// Without import Testing.
final class ModeTests: XCTestCase {
  func testActions() async {
    Swift6.Lamp.Action.tester(withState: Swift6.Lamp.State())
      .send(action: .toggle)
      .assert(output: .switched(true))
    Swift5.Lamp.Action.tester(withState: Swift5.Lamp.State())
      .send(action: .toggle)
      .assert(output: .switched(true))
    let isOn = await Swift6.LampHolder().toggle()
    XCTAssert(isOn)
  }
}
