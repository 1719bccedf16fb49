/// An editor: a buffer, and what of it is being written.
struct DocumentEditor {
  let name: String
  /// The editor's buffer; `nil` if the file must be read first.
  var buffer: DocumentBuffer?
  var saving: Saving?
  /// Whether it has removed the file, and writes another one soon.
  var isReplacing = false
  var savingCount = 0

  var isBusy: Bool { saving != nil || isReplacing }

  /// A text that is written in parts.
  struct Saving {
    let number: Int
    let descriptor: Int32
    var parts: [ArraySlice<UInt8>]
    /// Whether it goes into a file that the other editor replaces.
    let isCrossed: Bool
  }
}

/// A file that has its name from an editor, or was written by one.
struct UnreadFile {
  let editor: Int
  let inode: UInt64?
}

/// Two editors that have saved at the same time.
struct Crossing {
  /// The words of both saves; `nil` until then.
  var words: Set<TypedWord>?
}
