import System
import TestSupport
import Testing

/// Tests that the memory of an import does not depend on the size of the file.
@Suite struct ImportMemoryTests {
  private let folder = TemporaryFolder()
  /// The size of the file, which is larger than the memory limit of the process.
  private let fileBytes = 68 << 20
  private let memoryKilobytes = 64 << 10

  /// Writes an export of large notes.
  ///
  /// - Returns: The number of its todos.
  private func writeExport(to path: String) throws -> Int {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs("{\"format\":\"todo-server\",\"version\":2}\n{\"list\":{\"name\":\"ann\"}}\n", file)
    // Blanks add nothing to the search index.
    let note = "words" + String(repeating: " ", count: 1 << 18)
    var count = 0
    while count * note.utf8.count < fileBytes {
      fputs("{\"id\":\"i\(count)\",\"title\":\"Todo \(count)\",\"note\":\"\(note)\"}\n", file)
      count += 1
    }
    fputs("{\"end\":{\"lines\":\(count + 2)}}\n", file)
    return count
  }

  @Test func fileThatIsLargerThanTheMemoryIsImported() throws {
    let (path, store) = (folder.path("todos.ndjson"), folder.path("todos.sqlite"))
    let count = try writeExport(to: path)
    let run = try ServerProcess(
      [
        "-c",
        "ulimit -d \(memoryKilobytes) && exec \"$0\" import --store sqlite:\(store) < \(path)",
        ServerProcess.program,
      ], environment: ["HOME": folder.path], program: "/bin/sh")
    let exitCode = run.waitForEnd()
    let errors = String(decoding: run.readErrors(), as: UTF8.self)
    #expect(exitCode == 0, "\(errors)")
    #expect(String(decoding: run.stdout, as: UTF8.self) == "\(count) todos were imported\n")
  }
}
