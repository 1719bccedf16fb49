// Usage: RenderBenchmark [agenda | COUNT...]
//
// Measures what a change costs from its request to the rendering and the response, in lists of
// different lengths, of which a front-end shows a window of 100 and draws patches. There are no
// pipes in between, so that their cost does not hide a difference. Build for release. For
// instructions run it under callgrind with one COUNT and compare. `agenda` measures the agenda of four
// lists of 25,000 todos instead.

import System

if CommandLine.arguments.dropFirst().first == "agenda" {
  do {
    for row in try await AgendaCases().run() { print(row) }
  } catch {
    print("failed: \(error)")
  }
  exit(0)
}

let counts = CommandLine.arguments.dropFirst().compactMap { Int($0) }
for count in counts.isEmpty ? [100, 100_000] : counts {
  print("\(count) todos, window of \(MeasuredLoop.windowLimit)")
  do {
    let loop = try await MeasuredLoop(todoCount: count)
    for row in try await Cases(loop).run() { print("  \(row)") }
  } catch {
    print("  failed: \(error)")
  }
}
