// Usage: ServerBenchmark [SERVER [ARGUMENT...]] [-- OTHER [ARGUMENT...]]...
//
// Measures a todo-server over pipes beside the least that a program could do (EchoFloor), and if
// wanted beside others: another build (a program whose name begins with todo-server), or another
// language server, such as `-- clangd --log=error`. Without arguments the server is the one that
// was built with this program. README.md beside this file says what the rows are.

import System
import TestSupport

do throws(BenchmarkError) {
  let folder = TemporaryFolder()
  let columns = try Column.all(
    CommandLine.arguments, floorProgram: try EchoFloor.compile(into: folder))
  var benchmark = Benchmark(columns, folder: folder)
  print(try benchmark.run().text)
} catch {
  print("ServerBenchmark: \(error.message)")
  exit(1)
}
