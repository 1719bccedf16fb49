import Testing

@testable import TodoModel

@Suite("Fields")
struct FieldTests {
  /// Content in which every field differs from that of `TodoContent()`.
  private let changed = TodoContent(
    title: "Milk", note: "Two litres", isDone: true, due: DueDate("2026-12-01"),
    labels: LabelSet(["shop"]), priority: .high)

  @Test("A field's type names its case, and is named as it is", arguments: ContentField.allCases)
  func names(field: ContentField) {
    struct Declared: ContentFieldVisitor {
      mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> ContentField {
        Field.field
      }
    }
    var declared = Declared()
    let name = field.visit(&declared)
    #expect(name == field)
    #expect(field.traits.name.description == field.rawValue)
    #expect(ContentField.allCases[field.index] == field)
  }

  @Test("A field is read, copied and compared alone", arguments: ContentField.allCases)
  func access(field: ContentField) {
    var content = TodoContent()
    #expect(content[field] != changed[field])
    content.copy(field, from: changed)
    #expect(content[field] == changed[field])
    #expect(changed.fields(differingFrom: content) == ContentField.allCases.filter { $0 != field })
    #expect(content.fields(differingFrom: TodoContent()) == [field])
    #expect(content != TodoContent())
  }

  @Test("A value of another kind is not set", arguments: ContentField.allCases)
  func otherKind(field: ContentField) {
    var content = changed
    let other: FieldValue = field.kind == .flag ? .texts(["x"]) : .flag(true)
    let isSet = content.set(field, to: other)
    #expect(!isSet)
    #expect(content == changed)
    var changes = FieldChanges()
    changes.set(field, to: other)
    #expect(changes.fields.isEmpty)
  }

  @Test("An edit changes one field, and can be withdrawn", arguments: ContentField.allCases)
  func changes(field: ContentField) {
    let changes = FieldChanges(changed, fields: [field])
    #expect(ContentField.allCases.filter { changes.fields.contains($0) } == [field])
    #expect(changes.applied(to: TodoContent()).fields(differingFrom: TodoContent()) == [field])
    #expect(changes.applied(to: changed) == changed)
    var title = FieldChanges(changed, fields: [.title, .done])
    title[TitleField.self] = nil
    #expect(title == FieldChanges(changed, fields: [.done]))
  }

  @Test(
    "One side's change is joined; without a base it is a conflict", arguments: ContentField.allCases
  )
  func merge(field: ContentField) {
    var mine = TodoContent()
    mine.copy(field, from: changed)
    let theirs = TodoContent()
    #expect(Merge(base: theirs, mine: mine, theirs: theirs).content == mine)
    #expect(Merge(base: mine, mine: mine, theirs: theirs).content == theirs)
    guard field != .labels else {
      // They are joined also without a base.
      return #expect(Merge(base: nil, mine: mine, theirs: theirs).content == mine)
    }
    #expect(Merge(base: nil, mine: mine, theirs: theirs).conflicts == [field])
    #expect(Merge(base: nil, mine: mine, theirs: theirs).keeping(.mine) == mine)
    #expect(Merge(base: nil, mine: mine, theirs: theirs).keeping(.theirs) == theirs)
  }

  @Test("A text that is not a value is checked, and gets its value on a day")
  func typedText() throws {
    var changes = FieldChanges()
    changes.set(.due, to: .text("+1d"))
    changes.type("bug \"two words\"", into: .labels)
    let due = DueDate("2026-01-01")
    #expect(changes.applied(to: TodoContent(due: due)).due == due)
    let edit = try TodoEdit(checking: changes)
    let today = try #require(CivilDay("2026-12-31"))
    let content = try edit.resolved(on: today).applied(to: TodoContent())
    #expect(content.due == DueDate("2027-01-01"))
    #expect(content.labels.texts == ["bug", "two words"])
    changes.type("2026-02-30", into: .due)
    changes.set(.title, to: .text(" "))
    let error = #expect(throws: TodoError.self) { try TodoEdit(checking: changes) }
    #expect(error?.fields.map(\.field) == ["title", "due"])
  }

  @Test("A field may have no value")
  func optionalValues() {
    let none: String? = nil
    #expect(none.fieldValue == nil)
    #expect(Optional<String>.kind == .text && Optional<String>.isOptional)
    #expect(String?(fieldValue: nil) == .some(nil))
    #expect(String?(fieldValue: .text("a")) == .some("a"))
    #expect(String?(fieldValue: .flag(true)) == nil)
    #expect(OptionalField.join(base: "a", mine: nil, theirs: "a") == .some(nil))
    #expect(OptionalField.join(base: .some(nil), mine: "a", theirs: nil) == .some("a"))
    #expect(OptionalField.join(base: "a", mine: "b", theirs: nil) == nil)
    #expect(OptionalField.proposal(base: "a", mine: "b", theirs: nil) == "b")
  }
}

/// A field that a todo does not have: an optional text with the default rules.
private enum OptionalField: ContentFieldType {
  static var field: ContentField { .note }
  static var traits: FieldTraits { FieldTraits(name: "effort", isBrief: true, formField: nil) }
  static func value(in content: TodoContent) -> String? { content.note }
  static func set(_ value: String?, in content: inout TodoContent) { content.note = value ?? "" }
}
