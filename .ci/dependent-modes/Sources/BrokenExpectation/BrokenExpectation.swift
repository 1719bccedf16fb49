import Swift6
import WorkflowRuntime
import WorkflowTesting

/// A broken expectation where no test runs: it has to end the program.
@main struct BrokenExpectation {
  static func main() {
    Lamp.Action.tester(withState: Lamp.State()).send(action: .toggle).assert(state: Lamp.State())
  }
}
