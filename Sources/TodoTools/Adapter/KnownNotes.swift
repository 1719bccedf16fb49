import TodoModel

/// The notes that were sent whole to this client, by version of their todos: only these may be
/// replaced.
///
/// They are not shared between processes. A client that continues with another process reads a note
/// again.
struct KnownNotes {
  /// The maximum number of notes that are remembered. Beyond it, the oldest have to be read again.
  static let countMax = 20_000

  private struct Entry {
    var version: Int64
    var digest: NoteDigest
  }

  /// The newest notes, and about as many older ones.
  private var recent: [TodoID: Entry] = [:]
  private var older: [TodoID: Entry] = [:]

  /// Whether the note was sent whole at this version.
  func contains(_ id: TodoID, at version: Int64) -> Bool { entry(id)?.version == version }

  mutating func record(_ shown: ShownNote) {
    record(shown.id, Entry(version: shown.version, digest: NoteDigest(shown.note)))
  }

  /// Records a todo that this client changed: a note that it knew stays known at the new version,
  /// unless another client has changed it.
  ///
  /// - Parameter written: The note that the client sent, if it did.
  mutating func didChange(_ todo: Todo, written: String?) {
    let digest = NoteDigest(todo.content.note)
    guard digest == entry(todo.id)?.digest || digest == written.map({ NoteDigest($0) }) else {
      return
    }
    record(todo.id, Entry(version: todo.version, digest: digest))
  }

  private func entry(_ id: TodoID) -> Entry? { recent[id] ?? older[id] }

  private mutating func record(_ id: TodoID, _ entry: Entry) {
    if recent.count >= Self.countMax / 2, recent[id] == nil { (older, recent) = (recent, [:]) }
    recent[id] = entry
  }
}

/// A note that a response contains whole.
struct ShownNote: Sendable, Equatable {
  var id: TodoID
  var version: Int64
  var note: String
}

/// The length of a note and its hash, whose seed differs in each process.
private struct NoteDigest: Equatable {
  private let byteCount: Int
  private let hash: Int

  init(_ note: String) {
    var note = note
    var hasher = Hasher()
    (byteCount, hash) = note.withUTF8 { bytes in
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      return (bytes.count, hasher.finalize())
    }
  }
}
