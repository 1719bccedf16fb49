import System
import TestSupport
import Testing
import TodoModel

@testable import TodoMirrorFile

/// Tests which files a mirror accepts, and which reports it makes. The store has no todos.
@Suite struct MirrorTests {
  private let folder = TemporaryFolder()

  private var path: String { folder.path("todos.md") }

  /// A store without todos, and the documents that are open in it.
  private final class EmptyStore {
    var openPaths: [String] = []
    /// The response to a save; `nil` if none is expected.
    var saved: DocumentReport?

    func answer(_ request: DocumentRequest) throws(TodoError) -> DocumentAnswer {
      switch request {
      case .open(let path):
        openPaths.append(path)
        return .opened(0)
      case .close(let path):
        openPaths.removeAll { $0 == path }
        return .done
      case .generation: return .generation(nil)
      case .read: return .contents(DocumentContents())
      case .isLeased: return .leased(false)
      case .changeToken: return .changeToken(ChangeToken(counts: []))
      case .append: return .appended(1)
      case .keep: return .done
      case .save where saved != nil: return .saved(saved ?? DocumentReport())
      default: throw .storage("not expected: \(request)")
      }
    }
  }

  private func open(
    _ store: EmptyStore, report: @escaping (String) -> Void = { _ in }
  ) throws -> Mirror {
    try Mirror(
      path: path, list: TodoListKey(profile: "ann", source: ""),
      ask: { request throws(TodoError) in try store.answer(request) }, report: report,
      today: { .first })
  }

  private func write(_ text: String) throws {
    let file = try #require(fopen(path, "wb"))
    fputs(text, file)
    fclose(file)
    chmod(path, 0o600)
  }

  @Test(arguments: [
    ("Dear diary,\n", "is not a list of todo-server"),
    ("<!-- todo-server bob local 0 -->\n- [ ] Milk\n<!-- end -->\n", "is the list of bob"),
  ])
  func otherFilesAreRefusedAndLeftUnchanged(text: String, reason: String) throws {
    try write(text)
    let store = EmptyStore()
    let error = #expect(throws: TodoError.self) { try open(store) }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(RecordedResponse.bytes(of: path) == Array(text.utf8))
    #expect(store.openPaths == [])
  }

  @Test(arguments: ["", " \n\t\r\n", "<!-- todo-server ann local 0 -->\n- [ ] Milk\n"])
  func emptyFileAndOneOfThisListAreOpened(text: String) throws {
    try write(text)
    let store = EmptyStore()
    _ = try open(store)
    #expect(store.openPaths == [CanonicalPath.of(path)])
  }

  @Test func missingFileIsOpened() throws {
    let store = EmptyStore()
    _ = try open(store)
    #expect(store.openPaths == [CanonicalPath.of(path)])
  }

  @Test func lineThatCannotBeAddedIsReportedOnce() throws {
    try write("<!-- todo-server ann local 0 -->\n- [ ] Milk\n<!-- end -->\n")
    let store = EmptyStore()
    store.saved = DocumentReport()
    store.saved?.refusedCount = 1
    var reported: [String] = []
    let mirror = try open(store) { reported.append($0) }
    let start = ContinuousClock.now
    for second in 0..<5 { try mirror.tick(at: start + .seconds(second)) }
    let refusals = reported.filter { $0.hasPrefix("A new line") }
    #expect(refusals == ["A new line stays text. \(TodoError.addingRefused.message)"])
  }
}
