import System
import TestSupport
import TodoDatabase
import TodoModel
import TodoStores

/// Measures the memory of a process with a large list in a file. Another process fills the file, so
/// that the memory for that work is not measured.
func measureMemory() throws {
  let folder = TemporaryFolder()
  let path = folder.path("todos.sqlite")
  let program = CommandLine.arguments[0]
  try run(program, "--fill", path)
  try run(program, "--resident", path)
}

/// Runs the part of the benchmark that a child process executes.
func carryOut(_ order: String, _ path: String) throws {
  let store = try SQLiteStore(at: .file(path), environment: .live)
  switch order {
  case "--fill": try Corpus().fill(store, count: 100_000, noteBytes: 2_000)
  default: try showResident(store)
  }
}

private func showResident(_ store: SQLiteStore) throws {
  let start = residentMegabytes()
  _ = try store.rows(TodoQuery(limit: 100), in: Corpus.list)
  let window = residentMegabytes()
  for offset in stride(from: 0, to: 100_000, by: 1_000) {
    _ = try store.rows(TodoQuery(offset: offset, limit: 100), in: Corpus.list)
  }
  let scrolled = residentMegabytes()
  for text in ["t", "to", "todo", "a b", "the"] {
    _ = try store.rows(TodoQuery(text: text, limit: 100), in: Corpus.list)
  }
  show(
    "resident, 100,000 x 2 kB, file", ("start", "\(start) MB"), ("window of 100", "\(window) MB"),
    ("scrolled", "\(scrolled) MB"), ("filtered", "\(residentMegabytes()) MB"))
}

/// Returns the resident memory of this process (`VmRSS`) in mebibytes; 0 if the system does not
/// report it.
private func residentMegabytes() -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("VmRSS:") else { continue }
    return (Int(text.filter(\.isNumber)) ?? 0) / 1_024
  }
  return 0
}

struct ChildFailed: Error { var order: String }

/// Runs a program to its end.
func run(_ words: String...) throws {
  fflush(nil)
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
  defer { for argument in arguments { free(argument) } }
  arguments.append(nil)
  var child = pid_t()
  var status: CInt = 0
  guard posix_spawnp(&child, words[0], nil, nil, &arguments, environ) == 0,
    waitpid(child, &status, 0) == child, status == 0
  else { throw ChildFailed(order: words.joined(separator: " ")) }
}
