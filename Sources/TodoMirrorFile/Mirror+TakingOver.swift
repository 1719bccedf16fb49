import System
import TodoDocument
import TodoModel

/// The conversion of the user's own files to documents, and reports of lines that stay plain text.
extension Mirror {
  /// Stores a copy of the original contents of a file, before the mirror first writes the document
  /// to the file. Returns `false` if that fails.
  func keepOriginal(_ bytes: [UInt8]) -> Bool {
    var number = 1
    while let copy = OpenFile(path: originalName(number)) {
      // An earlier process may have been killed after it stored the same copy.
      if copy.bytes(countMax: WatchedFile.bytesMax) == bytes { return true }
      number += 1
    }
    let name = originalName(number)
    guard write(bytes, toNew: name) else { return false }
    report("\(paths.userPath) is a list now. It was kept as \(name) before.")
    return true
  }

  private func originalName(_ number: Int) -> String {
    "\(paths.target).original\(number == 1 ? "" : "-\(number)")"
  }

  /// The first line with which a user asks the mirror to take over the todos of a file.
  var takingLine: String { "<!-- todo-server \(list.profile) \(list.sourceWord) 0 -->" }

  var takeoverFailedText: String {
    "\(paths.userPath) cannot be kept as a copy (error \(errno)), so its todos are not taken over, and "
      + "it stays unchanged."
  }

  /// Reports lines that look like todos but are plain text. Each line is reported once, and at most
  /// `reportedTextsMax` lines are reported.
  func reportTextsLikeTodos(_ document: Document) {
    for text in document.textsLikeTodos {
      guard reportedTexts.count < Self.reportedTextsMax, reportedTexts.insert(text.line).inserted
      else { continue }
      let line = text.line.count > 60 ? "\(text.line.prefix(60))…" : text.line
      report("\(PrintableText.escaped(line)) stays text, and is not a todo: \(text.reason)")
    }
  }

  private static let reportedTextsMax = 1_000
}

extension TodoListKey {
  var sourceWord: String { isLocal ? "local" : source }
}
