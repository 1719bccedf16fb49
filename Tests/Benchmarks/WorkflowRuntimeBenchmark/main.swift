import System
import WorkflowRuntime

// Usage: WorkflowRuntimeBenchmark [CASE PASSES]
//
// Without arguments every case is run and timed. With arguments one case is run for PASSES passes
// and nothing else, so that the difference of two runs under callgrind gives the instructions of a
// pass.

let arguments = CommandLine.arguments
if arguments.count == 3, let passCount = Int(arguments[2]) {
  guard let measured = cases.first(where: { $0.name == arguments[1] }) else {
    print("cases: \(cases.map(\.name).joined(separator: " "))")
    exit(2)
  }
  measured.run(passCount)
} else {
  for measured in cases { measured.time() }
}
