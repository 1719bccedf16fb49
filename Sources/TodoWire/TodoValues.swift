import JSONRPC
import TodoModel

extension Todo: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "todo", "A todo with all its fields.")
  package static let sample = Todo(
    id: TodoID(""), content: .sample, version: 0, createdAt: .sample, updatedAt: .sample,
    origin: nil, sync: .local)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    writeMembers(nil, to: &members)
  }

  fileprivate func writeMembers(
    _ wanted: TodoFieldSet?, to members: inout some MemberOutput & ~Copyable
  ) {
    func wants(_ field: TodoField) -> Bool { wanted?.contains(field) ?? true }
    members.wanted("id", wants(.id), id)
    for field in ContentField.allCases {
      content.write(field, wants(.content(field)), to: &members)
    }
    members.wanted("version", wants(.version), version)
    members.wanted("createdAt", wants(.createdAt), createdAt)
    members.wanted("updatedAt", wants(.updatedAt), updatedAt)
    members.optional("source", wants(.source) ? origin : nil)
    members.optional("sourceDue", wants(.sourceDue) ? sourceDue?.description : nil)
    members.wanted("sync", wants(.sync), sync)
    members.optional("failure", wants(.sync) ? failure : nil)
    members.optional("section", wants(.section) ? section : nil)
  }
}

/// A todo of which only the members in `fields` are sent. If `fields` is `nil`, all members are
/// sent.
package struct SelectedTodo: WrittenObject {
  package var todo: Todo
  package var fields: TodoFieldSet?

  package init(todo: Todo, fields: TodoFieldSet?) {
    self.todo = todo
    self.fields = fields
  }

  package static let definition: SchemaDefinition? = SchemaDefinition(
    "selectedTodo", "The requested fields of a todo.")
  package static let sample = SelectedTodo(todo: .sample, fields: [])

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    todo.writeMembers(fields, to: &members)
  }
}

extension SyncFailure: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "todoFailure", "Why the source refused a todo.")
  package static let sample = SyncFailure(kind: .forbidden, message: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("kind", kind)
    members.required("message", message)
  }
}

extension TodoOrigin: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "todoSource", "The issue of a todo at its source.")
  package static let sample = TodoOrigin(url: "", number: 0)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("url", url)
    members.optional("number", number)
    members.optional("repository", TodoOrigin.place(of: key))
    members.optional("assignees", details.flatMap { $0.assignees.isEmpty ? nil : $0.assignees })
    members.optional("milestone", details?.milestone)
    members.optional("comments", details?.comments)
  }
}

extension SyncState: WrittenEnumValue {}

extension Timestamp {
  fileprivate static let sample = Timestamp(milliseconds: 0)
}

// MARK: A side of a conflict

extension TodoContent: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "todoContent", "The fields of a todo that users edit.")
  package static let sample = TodoContent()

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    for field in ContentField.allCases { write(field, to: &members) }
  }

  /// Writes the value of a field if `isWanted` is `true`. An optional field without a value is
  /// omitted.
  package func write(
    _ field: ContentField, _ isWanted: Bool = true,
    to members: inout some MemberOutput & ~Copyable
  ) {
    if field.isOptional {
      members.optional(field.name, field.kind.schema, isWanted ? self[field] : nil)
    } else {
      members.wanted(field.name, isWanted, field.kind.schema, self[field])
    }
  }
}

/// The local side of a conflict.
package struct MyContent: WrittenObject {
  package var content: TodoContent
  /// Whether the local change is the removal of the todo.
  package var isRemoved: Bool

  package init(content: TodoContent, isRemoved: Bool = false) {
    self.content = content
    self.isRemoved = isRemoved
  }

  package static let sample = MyContent(content: .sample)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    content.writeMembers(to: &members)
    members.optional("removed", isRemoved ? true : nil)
  }
}

/// The other side of a conflict. An edit that replaces this content must name `version` as its base
/// version.
package struct TheirContent: WrittenObject {
  package var content: TodoContent
  package var version: Int64
  /// Whether the other change is the removal of the todo.
  package var isRemoved: Bool

  package init(content: TodoContent, version: Int64, isRemoved: Bool = false) {
    self.content = content
    self.version = version
    self.isRemoved = isRemoved
  }

  package static let sample = TheirContent(content: .sample, version: 0)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    content.writeMembers(to: &members)
    members.required("version", version)
    members.optional("removed", isRemoved ? true : nil)
  }
}

// MARK: Requested values

extension TodoSort: MemberEnumValue {
  /// The accepted words: each sort key, alone or with the prefix `-` for descending order.
  package static let words = Key.allCases.flatMap { [$0.rawValue, "-" + $0.rawValue] }

  package static var expected: String { "one of \(words.joined(separator: ", "))" }

  package init?(word: String) {
    let isDescending = word.hasPrefix("-")
    guard let key = Key(rawValue: isDescending ? String(word.dropFirst()) : word) else {
      return nil
    }
    self.init(key, isDescending: isDescending)
  }
}

extension TodoField: MemberEnumValue {
  package static var words: [String] { allCases.map(\.name) }
  package static var expected: String { "one of \(words.joined(separator: ", "))" }

  package init?(word: String) {
    guard let field = Self.allCases.first(where: { $0.name == word }) else { return nil }
    self = field
  }
}
