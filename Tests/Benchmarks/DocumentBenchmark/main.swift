// Usage: DocumentBenchmark [COUNT]     100,000 todos by default
//
// Measures rendering, parsing and comparing a document, five times each, and reports the best wall
// time. Build for release.

import TodoDocument
import TodoModel

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let contents = DocumentContents(todos: (0..<count).map(todo))
let heading = DocumentHeading(
  list: TodoListKey(profile: "ann", source: "github:octo/tasks"), generation: 17)

let bytes = measure("print") { DocumentPrinter.print(heading, contents) }
let document = measure("parse") { Document(reading: bytes, on: .first) }
let generation = measure("remember") { contents.generation(17) }
let merge = measure("merge") {
  DocumentMerge(document, madeFrom: generation, now: contents, path: "/todos.md")
}
print("\(count) todos, \(bytes.count) bytes, \(merge.save.changes.count) changes")

func todo(_ number: Int) -> DocumentTodo {
  let note = number % 4 == 0 ? "By Friday, to the new account.\n\nNumber \(number)" : ""
  let content = TodoContent(
    title: "Water the plants in room \(number)", note: note, isDone: number % 3 == 0)
  return DocumentTodo(
    id: TodoID("k3f9abcdefgh\(100_000 + number)"), version: Int64(number % 40 + 1),
    content: content)
}

func measure<Value>(_ name: String, _ body: () -> Value) -> Value {
  let clock = ContinuousClock()
  var value = body()
  var best = Duration.seconds(3_600)
  for _ in 0..<5 { best = min(best, clock.measure { value = body() }) }
  print("\(name): \(best)")
  return value
}
