/// Which list of todos: a person's, of one source. Each pair has a list of its own.
///
/// Names are compared byte for byte, everywhere alike: two spellings of one name are two people.
package struct TodoListKey: Hashable, Sendable {
  /// The name that the person logged in with.
  package var profile: String
  /// `""` for the local source, else the source's name, such as `github:owner/repo`.
  package var source: String

  package init(profile: String, source: String) {
    self.profile = profile
    self.source = source
  }

  package static func == (a: TodoListKey, b: TodoListKey) -> Bool {
    a.profile.hasSameBytes(as: b.profile) && a.source.hasSameBytes(as: b.source)
  }

  package func hash(into hasher: inout Hasher) {
    for name in [profile, source] {
      var name = name
      name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(UInt8(0xFF))
    }
  }

  /// A list without a source: its todos live here only.
  package var isLocal: Bool { source.isEmpty }
}
