import System
import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests the file in which a process records its drafts.
@Suite struct DraftLogTests {
  private let world: DraftWorld
  private let time = Timestamp(milliseconds: 1_795_000_000_000)

  init() throws { world = try DraftWorld() }

  private func record(_ note: String, _ todo: Todo, in log: FileDraftLog) -> String? {
    let text = UnsavedText(world.draft(todo, note: note), title: todo.content.title)
    return log.record(text, at: time, isNext: false)
  }

  private var path: String { get throws { world.folder.path(try #require(world.files.first)) } }

  @Test func theNewestDraftSurvivesTheProcess() throws {
    let log = world.makeLog()
    #expect(world.files.isEmpty)
    for note in ["b", "bu", "but", "butter\n\u{1F9C8} \\ \" \u{7F}"] {
      #expect(record(note, world.milk, in: log) == nil)
    }
    log.flush()
    log.close()
    try world.store.importDrafts()
    let stored = try #require(try world.store.drafts(in: world.list).first)
    #expect(stored.draft == world.draft(world.milk, note: "butter\n\u{1F9C8} \\ \" \u{7F}"))
    #expect(stored.title == "Milk")
    #expect(stored.typedAt == time)
    #expect(world.files.isEmpty)
  }

  /// Each keypress replaces the draft of the previous keypress.
  @Test func theNextTextOfAFormReplacesThePreviousOne() throws {
    let log = world.makeLog()
    _ = record("bread", world.bread, in: log)
    for (note, isNext) in [("m", false), ("mi", true), ("milk", true)] {
      let text = UnsavedText(world.draft(world.milk, note: note), title: "Milk")
      log.record(text, at: time, isNext: isNext)
      if note == "mi" { log.flush() }
    }
    log.close()
    try world.store.importDrafts()
    #expect(try Set(world.notes()) == ["bread", "milk"])
  }

  /// The draft of the first text is released when a form shows a second text instead. The second
  /// text is saved immediately.
  @Test func endDirectlyAfterAReleaseKeepsTheReleasedDraft() throws {
    let log = world.makeLog()
    _ = record("first", world.milk, in: log)
    log.flush()
    log.release()
    _ = record("second", world.milk, in: log)
    log.end(world.milk.id, in: world.list)
    log.close()
    try world.store.importDrafts()
    #expect(try world.notes() == ["first"])
  }

  @Test func theSameTextIsNotWrittenAgain() throws {
    let log = world.makeLog()
    defer { log.close() }
    _ = record("milk", world.milk, in: log)
    log.flush()
    let bytes = RecordedResponse.bytes(of: try path)
    let text = UnsavedText(world.draft(world.milk, note: "milk"), title: "Milk")
    log.record(text, at: Timestamp(milliseconds: time.milliseconds + 1), isNext: true)
    log.flush()
    #expect(RecordedResponse.bytes(of: try path) == bytes)
  }

  @Test func theThreadWritesWithoutAFlush() async throws {
    let log = world.makeLog()
    defer { log.close() }
    _ = record("one", world.milk, in: log)
    while world.files.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    while try FileTree.text(of: path)?.contains("\"one\"") != true {
      try await Task.sleep(for: .milliseconds(10))
    }
    _ = record("two", world.milk, in: log)
    while try FileTree.text(of: path)?.contains("\"two\"") != true {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test func theFileIsTheOwnersOnly() throws {
    let log = world.makeLog()
    defer { log.close() }
    _ = record("one", world.milk, in: log)
    log.flush()
    #expect(FileMode(of: try path)?.description == "600")
  }

  @Test func aFileWithoutDraftsIsRemovedAtTheEnd() throws {
    let log = world.makeLog()
    _ = record("one", world.milk, in: log)
    log.flush()
    log.end(world.milk.id, in: world.list)
    log.flush()
    #expect(try FileTree.text(of: path) == "todo-server drafts 1\n")
    log.close()
    #expect(world.files.isEmpty)
  }

  @Test func aDraftThatEndsBeforeItIsWrittenMakesNoFile() throws {
    let log = world.makeLog()
    log.end(world.milk.id, in: world.list)
    log.flush()
    log.close()
    #expect(world.files.isEmpty)
  }

  @Test func endingOneDraftLeavesTheOthers() throws {
    let log = world.makeLog()
    _ = record("one", world.milk, in: log)
    _ = record("two", world.bread, in: log)
    log.flush()
    log.end(world.milk.id, in: world.list)
    log.close()
    try world.store.importDrafts()
    #expect(try world.notes() == ["two"])
  }

  @Test func savedDraftDoesNotReturnIfTheProcessIsKilledAtOnce() throws {
    let log = world.makeLog()
    defer { log.close() }
    _ = record("one", world.milk, in: log)
    _ = record("two", world.bread, in: log)
    log.flush()
    log.end(world.milk.id, in: world.list)
    let bytes = try #require(RecordedResponse.bytes(of: try path))
    #expect(DraftLines.drafts(in: bytes)?.map(\.base.id) == [world.bread.id])
  }

  /// Long typing leaves one small file.
  @Test func aFileThatHasGrownIsWrittenAgain() throws {
    let log = world.makeLog()
    _ = record("bread", world.bread, in: log)
    let text = String(repeating: "x", count: 1_000)
    for round in 0..<200 {
      _ = record("\(round) \(text)", world.milk, in: log)
      log.flush()
      #expect(world.files.count == 1)
      #expect(try (RecordedResponse.bytes(of: path) ?? []).count < 80_000)
    }
    log.close()
    try world.store.importDrafts()
    #expect(try Set(world.notes()) == ["bread", "199 \(text)"])
  }

  /// A process that is killed may leave any prefix of a file.
  @Test func aTornTailIsIgnored() throws {
    let first = DraftLines.line(of: record(of: world.bread, note: "bread"))
    let second = DraftLines.line(of: record(of: world.milk, note: "old"))
    let third = DraftLines.line(of: record(of: world.milk, note: "new \u{1F95B}"))
    let whole = DraftLines.header + first + second
    for count in 0..<third.count - 1 {
      let drafts = DraftLines.drafts(in: whole + third.prefix(count))
      #expect(drafts?.map { $0.note } == ["bread", "old"], "\(count)")
    }
    for count in 0...DraftLines.header.count {
      #expect(DraftLines.drafts(in: Array(DraftLines.header.prefix(count))) == [])
    }
    #expect(DraftLines.drafts(in: whole + third)?.map { $0.note } == ["bread", "new \u{1F95B}"])
  }

  @Test func aDamagedByteLosesNothingOfOtherRecords() throws {
    let lines = [
      record(of: world.bread, note: "bread"), record(of: world.milk, note: "milk"),
      record(of: world.bread, note: "white bread"),
    ].map { DraftLines.line(of: $0) }
    let damaged = lines[1]
    let start = DraftLines.header.count + lines[0].count
    for index in damaged.indices {
      for byte in [0, UInt8(ascii: "\n"), damaged[index] ^ 1] where byte != damaged[index] {
        var bytes = DraftLines.header + lines.joined()
        bytes[start + index] = byte
        let notes = DraftLines.drafts(in: bytes)?.map { $0.note }
        #expect(notes?.contains("white bread") == true, "\(index) \(byte)")
        #expect(notes?.contains("bread") == false)
      }
    }
    var bytes = DraftLines.header + lines.joined()
    bytes[bytes.count - lines[2].count + 30] ^= 1
    #expect(DraftLines.drafts(in: bytes)?.map { $0.note } == ["bread", "milk"])
  }

  private func record(of todo: Todo, note: String) -> DraftRecord {
    let draft = world.draft(todo, note: note)
    return DraftRecord(
      base: draft.base,
      text: DraftRecord.Text(edit: draft.edit, typedAt: time, title: todo.content.title))
  }

  @Test func aFailedWriteIsReportedOnceAndRepeated() throws {
    let store = world.folder.path("missing/todos.sqlite")
    let log = FileDraftLog(beside: store, store: world.store)
    #expect(record("one", world.milk, in: log) == nil)
    log.flush()
    let warning = try #require(record("two", world.milk, in: log))
    #expect(warning.hasPrefix("Unsaved text is not kept in \(store).drafts-"))
    #expect(warning.hasSuffix(": No such file or directory."))
    log.flush()
    #expect(record("three", world.milk, in: log) == nil)
    mkdir(world.folder.path("missing"), 0o700)
    log.flush()
    let name = try #require(FileTree.names(in: world.folder.path("missing")).first)
    let text = FileTree.text(of: world.folder.path("missing/\(name)"))
    #expect(text?.contains("\"three\"") == true)
    log.close()
  }

  @Test func textThatIsTooLargeIsReported() throws {
    let log = world.makeLog(draftBytesMax: 1 << 20)
    defer { log.close() }
    _ = record("small", world.milk, in: log)
    log.flush()
    let text = String(ofBytes: 1 << 20)
    _ = record(text, world.milk, in: log)
    log.flush()
    let warning = record("bread", world.bread, in: log)
    #expect(
      warning == "Unsaved text with more than 1 MiB is not kept as a draft.")
    #expect(try FileTree.text(of: path)?.contains("\"small\"") == true)
  }

  /// A started program must not inherit the draft file, or the file would stay locked after the end
  /// of this process.
  ///
  /// The program lists its own open files, because only the program can see which files are left
  /// after `exec` has closed some of them. The list may also contain the files that other tests are
  /// reading at this moment.
  @Test func aStartedProgramDoesNotInheritTheFile() throws {
    let log = world.makeLog()
    defer { log.close() }
    _ = record("one", world.milk, in: log)
    log.flush()
    let output = world.folder.path("open-files")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [
      strdup("ls"), strdup("-l"), strdup("/proc/self/fd"), nil,
    ]
    let result = posix_spawn(&process, "/bin/ls", &actions, nil, &words, environ)
    for word in words { free(word) }
    try #require(result == 0)
    waitpid(process, nil, 0)
    let files = try #require(FileTree.text(of: output))
    #expect(files.contains("/open-files"))
    #expect(try !files.contains(path), "\(files)")
  }
}

extension DraftRecord {
  fileprivate var note: String? {
    guard case .fields(let changes)? = text?.edit else { return nil }
    return changes[NoteField.self]
  }
}
