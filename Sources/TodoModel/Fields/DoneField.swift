/// The field for whether a todo is done. A new todo is not done.
package enum DoneField: ContentFieldType {
  package static var field: ContentField { .done }
  package static let traits = FieldTraits(
    name: "done", isSetOnAdd: false, isBrief: true, formField: nil, purpose: "Whether it is done")

  package static func value(in content: TodoContent) -> Bool { content.isDone }
  package static func set(_ value: Bool, in content: inout TodoContent) { content.isDone = value }

  /// Returns `true` if at least one of the two values is `true`.
  ///
  /// The two values are in conflict only if they differ and the base is not known. Every todo is
  /// open at first, so the side with the value `true` has changed the value.
  package static func proposal(base: Bool?, mine: Bool, theirs: Bool) -> Bool { mine || theirs }
}
