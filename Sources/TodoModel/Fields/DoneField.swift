/// Whether a todo is done. A new one is open.
package enum DoneField: ContentFieldType {
  package static var field: ContentField { .done }
  package static let traits = FieldTraits(
    name: "done", isSetOnAdd: false, isBrief: true, formField: nil, purpose: "Whether it is done")

  package static func value(in content: TodoContent) -> Bool { content.isDone }
  package static func set(_ value: Bool, in content: inout TodoContent) { content.isDone = value }

  /// Returns whether either side is done, because a todo begins open.
  package static func proposal(base: Bool?, mine: Bool, theirs: Bool) -> Bool { mine || theirs }
}
