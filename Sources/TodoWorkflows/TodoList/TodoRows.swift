import ScreenModel
import TodoModel

/// The visible rows of a list, and their position in the list. All other rows are only in the
/// store.
package struct TodoRows: Sendable, Equatable {
  package private(set) var items: ListItems
  /// The number of all rows in the list.
  package private(set) var total: Int
  /// The index of the first visible row in the list.
  package private(set) var offset: Int
  /// The window that the front-end has requested.
  package var window: ListWindow
  /// The labels that are suggested to the user.
  package private(set) var labels: [String]
  /// Whether the user has only read access to the list.
  package var isReadOnly = false
  /// The day on which the rows were read. It determines which todos are overdue.
  private let today: CivilDay

  package init(
    _ rows: [TodoRow] = [], total: Int? = nil, offset: Int = 0, window: ListWindow = .whole,
    labels: [String] = [], today: CivilDay = .first
  ) {
    (self.labels, self.today) = (labels, today)
    items = ListItems(rows.map { ListItem($0, on: today) })
    self.total = total ?? rows.count
    self.offset = offset
    self.window = window
  }

  /// The row that keeps its position on the screen when rows are added or removed above it. It is
  /// `nil` at the top of the list, where new rows must be visible.
  var anchor: TodoID? { offset == 0 ? nil : items.first.map { TodoID($0.id) } }

  /// Whether the window has room for another row, and the list has a row below the visible rows.
  var isShort: Bool {
    let room = window.limit ?? .max
    if items.isEmpty { return min(room, total) > 0 }
    return items.count < min(room, total - offset)
  }

  var isWhole: Bool { items.count == total }

  /// Adds a row at the top. If a load has already added the row, moves the row to the top.
  mutating func add(_ row: TodoRow) {
    if items.contains(id: row.id.text) { remove(row.id) }
    total += 1
    items.insert(item(row), at: 0)
    if let limit = window.limit, items.count > limit { items.removeLast() }
  }

  /// Replaces a row if it is visible.
  mutating func replace(_ row: TodoRow) {
    guard let index = items.index(of: row.id.text), let old = items[index] else { return }
    var new = item(row)
    // An edit of a todo does not move it to another section.
    new.section = old.section
    items.replace(new)
  }

  private mutating func item(_ row: TodoRow) -> ListItem {
    if !row.labels.isEmpty {
      let known = LabelSet(labels).union(row.labels)
      labels = Array(known.texts.prefix(LabelField.suggestionsMax))
    }
    return ListItem(row, on: today)
  }

  /// Marks the rows of todos that have drafts.
  mutating func mark(_ todos: [DraftedTodo]) {
    for todo in todos { items.markDraft(todo.id.text) }
  }

  /// Removes a visible row.
  mutating func remove(_ id: TodoID) {
    items.remove(id: id.text)
    total -= 1
  }
}

extension ListItems {
  /// Marks the item of a todo that has drafts.
  mutating func markDraft(_ id: String) {
    guard let index = index(of: id), var item = self[index] else { return }
    item.markDraft()
    replace(item)
  }

  /// Marks the item of a todo that the user may only read.
  mutating func markReadOnly(_ id: String) {
    guard let index = index(of: id), var item = self[index] else { return }
    item.isReadOnly = true
    item.badge = item.badge ?? "read only"
    replace(item)
  }
}

extension ListItem {
  /// Creates the row for a removed todo whose drafts can still be saved as a new todo. The only
  /// action that succeeds on this row is `open`.
  init(removed todo: DraftedTodo) {
    self.init(
      id: todo.id.text, title: todo.title, detail: todo.typedAt.minuteText, badge: "draft",
      tone: .notice)
    isReadOnly = true
  }

  /// Marks the row of a todo that has drafts. The badge `draft` replaces the badge of a conflict or
  /// failure, because the action `open` first shows the draft.
  fileprivate mutating func markDraft() {
    badge = "draft"
    if tone != .alert { tone = .notice }
  }

  init(_ row: TodoRow, on today: CivilDay) {
    let due = row.isDone ? nil : row.effectiveDue.flatMap { $0.tone(on: today) }
    let (badge, tone): (String?, Tone?) =
      switch row.sync {
      case .local, .synced: (nil, row.isDone ? .muted : due)
      case .pending: ("pending", due ?? .notice)
      case .conflict: ("conflict", .alert)
      case .failed: ("failed", .alert)
      }
    self.init(
      id: row.id.text, title: row.title, detail: row.detail, labels: row.labels.texts,
      isChecked: row.isDone, badge: badge, tone: tone, url: row.url, preview: row.preview)
    section = row.section
  }
}

extension TodoRow {
  /// The item number at the source, the priority, the due date and the details, joined to one text.
  fileprivate var detail: String? {
    let number = number.map { "\(place ?? "")#\($0)" }
    let due = effectiveDue.map { "due " + $0.shownText }
    if priority == nil, due == nil, details == nil { return number }
    let priority = priority.map { "\($0.rawValue) priority" }
    let texts = [number, priority, due].compactMap(\.self) + (details?.shownTexts ?? [])
    return texts.isEmpty ? nil : texts.joined(separator: " · ")
  }
}

extension SourceDetails {
  /// The maximum number of assignees that a row shows.
  private static let assigneesShownMax = 2
  /// The maximum number of characters of a milestone that a row shows.
  private static let milestoneShownMax = 30

  /// The milestone, the assignees, the number of comments and the remarks, such as `Spring`,
  /// `@ann @bob +1` and `3 comments`.
  fileprivate var shownTexts: [String] {
    var texts: [String] = []
    if let milestone {
      let isCut = milestone.count > Self.milestoneShownMax
      texts.append(isCut ? milestone.prefix(Self.milestoneShownMax - 1) + "…" : milestone)
    }
    if !assignees.isEmpty {
      let rest = assignees.count - Self.assigneesShownMax
      let names = assignees.prefix(Self.assigneesShownMax).map { "@\($0)" }
      texts.append((names + (rest > 0 ? ["+\(rest)"] : [])).joined(separator: " "))
    }
    if let comments { texts.append(comments == 1 ? "1 comment" : "\(comments) comments") }
    return texts + remarks
  }
}

extension DueDate {
  /// The date in the form for users, such as `2026-12-01 17:30`.
  fileprivate var shownText: String {
    minutes == nil
      ? description : description.split(separator: "T").joined(separator: " ")
  }

  /// Returns the tone that emphasizes a date before or on `today`, the current day; `nil` for a
  /// later date. The time of day has no effect.
  fileprivate func tone(on today: CivilDay) -> ListItem.Tone? {
    if day < today { return .alert }
    return day == today ? .notice : nil
  }
}
