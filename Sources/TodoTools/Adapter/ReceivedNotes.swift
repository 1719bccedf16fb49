import TodoModel

/// The notes that this client has received completely, with the versions of their todos. The client
/// may replace only these notes, and empty notes.
///
/// These records are not shared between processes: a client that continues with another process
/// must read a note again.
struct ReceivedNotes {
  /// The maximum number of recorded notes. If it is exceeded, the client must read the oldest notes
  /// again.
  static let countMax = 20_000

  private struct Entry {
    var version: Int64
    var digest: NoteDigest
  }

  /// The most recently recorded notes. When `recent` is full, its notes become `older`, and the
  /// previous `older` notes are dropped.
  private var recent: [TodoID: Entry] = [:]
  private var older: [TodoID: Entry] = [:]

  /// Whether the client has received the whole note of a todo at this version.
  func contains(_ id: TodoID, at version: Int64) -> Bool { entry(id)?.version == version }

  mutating func record(_ shown: ShownNote) {
    record(shown.id, Entry(version: shown.version, digest: NoteDigest(shown.note)))
  }

  /// Records that this client changed a todo. If the client has received the whole present note, or
  /// has sent it with this change, the note counts as received at the new version. If another
  /// client has changed the note since then, the note does not count as received.
  ///
  /// - Parameter written: The note that the client sent; `nil` if it sent none.
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

/// A complete note in a response.
struct ShownNote: Sendable, Equatable {
  var id: TodoID
  var version: Int64
  var note: String
}

/// The length and the hash of a note. The seed of the hash differs in each process.
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
