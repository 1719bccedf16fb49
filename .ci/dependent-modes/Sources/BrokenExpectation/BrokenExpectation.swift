import Swift6
import WorkflowRuntime
import WorkflowTesting

/// A program with a `WorkflowTesting` expectation that fails. Because no test is running, the
/// failure must end the program.
@main struct BrokenExpectation {
  static func main() {
    Lamp.Action.tester(withState: Lamp.State()).send(action: .toggle).assert(state: Lamp.State())
  }
}
