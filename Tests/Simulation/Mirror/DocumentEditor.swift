/// An editor: its buffer, and the save in progress.
struct DocumentEditor {
  let name: String
  /// The editor's buffer; `nil` if the file must be read first.
  var buffer: DocumentBuffer?
  var saving: Saving?
  /// Whether the editor has removed the file, and will soon write a new one.
  var isReplacing = false
  var savingCount = 0

  var isBusy: Bool { saving != nil || isReplacing }

  /// A save in progress, whose text is written in parts.
  struct Saving {
    let number: Int
    let descriptor: Int32
    var parts: [ArraySlice<UInt8>]
    /// Whether the other editor replaces the file during this save.
    let isCrossed: Bool
  }
}

/// A file that an editor has created or written, and that the mirror has not read yet.
struct UnreadFile {
  let editor: Int
  let inode: UInt64?
}

/// A save that overwrites the file in place, and during which the other editor replaces the file.
struct Crossing {
  /// The words of both editors' saves; `nil` until the save in place has ended.
  var words: Set<TypedWord>?
}
