import TodoModel

/// The todos that a store contains before a session. The transcript contains them as an export:
/// each line of the export follows the prefix `~~> kept`.
final class InitialTodos {
  /// The maximum size of the exported todos in a transcript, in bytes.
  static let bytesMax = 16 << 20

  var lines: [String] = []

  /// Imports the todos into a new store.
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

  /// Returns the transcript lines for the todos of a store. Returns an empty array if the store is
  /// empty or does not support exports. If the todos exceed `bytesMax`, returns only a comment.
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
    // Even the export of an empty store has a first and a last line.
    return lines.count > 2 ? lines : []
  }
}
