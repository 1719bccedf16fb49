/// A todo as a list shows it: without its note, which can be long.
package struct TodoRow: Sendable, Equatable {
  package var id: TodoID
  package var title: String
  package var isDone: Bool
  /// The todo's own due date. The due date of the todo's item at the source is in `details`.
  package var due: DueDate?
  package var labels: LabelSet
  package var priority: Priority?
  package var sync: SyncState
  /// The number of the item at the source, which is shown beside the title; `nil` without a number.
  package var number: Int64?
  /// The repository of the todo's item, such as `octo/tasks`, if the list shows items of several
  /// repositories; otherwise `nil`.
  package var place: String?
  /// The URL of the item at the source, for users to open; `nil` without an item.
  package var url: String?
  package var details: SourceDetails?
  /// The text of the nearest heading above the todo, in the order that the user has given the list;
  /// `nil` without a heading.
  package var section: String?
  /// The beginning of the note; `nil` if no preview was requested, or the note is empty.
  package var preview: String?

  /// The maximum length of a preview, in bytes.
  package static let previewBytesMax = 2_000

  package init(
    id: TodoID, title: String, isDone: Bool, due: DueDate? = nil, labels: LabelSet = LabelSet(),
    priority: Priority? = nil, sync: SyncState, number: Int64?, place: String? = nil,
    url: String? = nil,
    details: SourceDetails? = nil,
    preview: String? = nil
  ) {
    self.due = due
    self.labels = labels
    self.priority = priority
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

  /// The todo's own due date; without one, the due date that the todo's item has at the source.
  package var effectiveDue: DueDate? { due ?? details?.due }

  package static func == (a: TodoRow, b: TodoRow) -> Bool {
    a.id == b.id && a.isDone == b.isDone && a.sync == b.sync && a.number == b.number
      && a.place == b.place && a.url == b.url && a.due == b.due && a.labels.isSame(as: b.labels)
      && a.priority == b.priority
      && a.title.hasSameBytes(as: b.title) && a.details == b.details
      && a.section == b.section && (a.preview ?? "").hasSameBytes(as: b.preview ?? "")
  }

  package init(_ todo: Todo, hasPreview: Bool = false) {
    self.init(
      id: todo.id, title: todo.content.title, isDone: todo.content.isDone,
      due: todo.content.due, labels: todo.content.labels,
      priority: todo.content.priority, sync: todo.sync, number: todo.origin?.number,
      place: todo.origin.flatMap { TodoOrigin.place(of: $0.key) }, url: todo.origin?.url,
      details: todo.origin?.details,
      preview: hasPreview ? Self.preview(of: todo.content.note) : nil)
    section = todo.section
  }

  /// Returns the preview of a note: as many whole characters as fit into `previewBytesMax` bytes;
  /// `nil` for an empty note.
  ///
  /// - Parameter note: The note, or its beginning. The beginning must be at least four bytes longer
  ///   than a preview, so that the end of the last character can be found.
  package static func preview(of note: String) -> String? {
    if note.isEmpty { return nil }
    guard note.utf8.count > previewBytesMax else { return note }
    let bytes = note.utf8
    var end = bytes.index(bytes.startIndex, offsetBy: previewBytesMax)
    while bytes[end] & 0b1100_0000 == 0b1000_0000 { end = bytes.index(before: end) }
    let text = note[..<end]
    // The last character can extend beyond the limit; it is then removed.
    return String(String.Index(end, within: note) == nil ? text.dropLast() : text)
  }
}
