import TodoModel

/// What a store has before a session, as lines of an export: `~~> kept {...}`.
final class KeptTodos {
  /// A larger store is not written down.
  static let bytesMax = 16 << 20

  var lines: [String] = []

  /// Adds them to a store that is new.
  func add(to store: any TodoStore) throws(TodoError) {
    guard !lines.isEmpty else { return }
    guard let exchange = store.exchange else {
      throw .storage("This store keeps no list, so nothing can be in it before the session.")
    }
    var rest = lines[...]
    _ = try exchange.importLines(profile: nil) {
      rest.popFirst().map { Array("\($0)\n".utf8) } ?? []
    }
  }

  /// The lines of a transcript for a store; none where it has no list.
  static func lines(
    of store: any TodoStore, hiding hide: (String) -> String
  ) throws(TodoError) -> [String] {
    guard let exchange = store.exchange else { return [] }
    var text = ""
    var byteCount = 0
    try exchange.exportLines(of: .all) { bytes in
      byteCount += bytes.count
      if byteCount <= bytesMax { text += String(decoding: bytes, as: UTF8.self) }
    }
    guard byteCount <= bytesMax else {
      return ["# The store has \(byteCount) bytes of todos, which are left out."]
    }
    let lines = text.split(separator: "\n").map { "~~> kept \(hide(String($0)))" }
    // The first and the last line are there also for an empty store.
    return lines.count > 2 ? lines : []
  }
}
