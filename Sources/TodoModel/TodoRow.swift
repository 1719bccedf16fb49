/// A todo as lists show it: without its note, which may be long.
package struct TodoRow: Sendable, Equatable {
  package var id: TodoID
  package var title: String
  package var isDone: Bool
  /// The todo's own due date, without that of its source.
  package var due: DueDate?
  package var labels: LabelSet
  package var sync: SyncState
  /// The number of its item at the source, shown beside the title.
  package var number: Int64?
  /// The part of a source with several parts that contains it, such as a repository.
  package var place: String?
  /// The URL of its page at the source.
  package var url: String?
  package var details: SourceDetails?
  /// The nearest heading above it in its list, in the user's order.
  package var section: String?
  /// The beginning of its note; `nil` if it was not requested or the note is empty.
  package var preview: String?

  /// The maximum length of a preview, in bytes.
  package static let previewBytesMax = 2_000

  package init(
    id: TodoID, title: String, isDone: Bool, due: DueDate? = nil, labels: LabelSet = LabelSet(),
    sync: SyncState, number: Int64?, place: String? = nil, url: String? = nil,
    details: SourceDetails? = nil,
    preview: String? = nil
  ) {
    self.due = due
    self.labels = labels
    self.id = id
    self.title = title
    self.isDone = isDone
    self.sync = sync
    self.number = number
    self.place = place
    self.url = url
    self.details = details
    self.preview = preview
  }

  /// The todo's own date, else that of its source.
  package var effectiveDue: DueDate? { due ?? details?.due }

  package static func == (a: TodoRow, b: TodoRow) -> Bool {
    a.id == b.id && a.isDone == b.isDone && a.sync == b.sync && a.number == b.number
      && a.place == b.place && a.url == b.url && a.due == b.due && a.labels.isSame(as: b.labels)
      && a.title.hasSameBytes(as: b.title) && a.details == b.details
      && a.section == b.section && (a.preview ?? "").hasSameBytes(as: b.preview ?? "")
  }

  package init(_ todo: Todo, hasPreview: Bool = false) {
    self.init(
      id: todo.id, title: todo.content.title, isDone: todo.content.isDone,
      due: todo.content.due, labels: todo.content.labels, sync: todo.sync,
      number: todo.origin?.number,
      place: todo.origin.flatMap { TodoOrigin.place(of: $0.key) }, url: todo.origin?.url,
      details: todo.origin?.details,
      preview: hasPreview ? Self.preview(of: todo.content.note) : nil)
    section = todo.section
  }

  /// Returns the preview of a note: the longest prefix of whole characters that fits; `nil` for an
  /// empty note.
  ///
  /// `note` may itself be a prefix, if it is at least four bytes longer than a preview.
  package static func preview(of note: String) -> String? {
    if note.isEmpty { return nil }
    guard note.utf8.count > previewBytesMax else { return note }
    let bytes = note.utf8
    var end = bytes.index(bytes.startIndex, offsetBy: previewBytesMax)
    while bytes[end] & 0b1100_0000 == 0b1000_0000 { end = bytes.index(before: end) }
    let text = note[..<end]
    // The last character may extend beyond the limit.
    return String(String.Index(end, within: note) == nil ? text.dropLast() : text)
  }
}
