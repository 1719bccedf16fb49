/// The key of a list. Each pair of a profile and a source has one list.
///
/// Names are always compared byte for byte, so two Unicode forms of a name are two profiles.
package struct TodoListKey: Hashable, Sendable {
  /// The name with which the user has logged in.
  package var profile: String
  /// The name of the source, such as `github:owner/repo`; `""` for the local list.
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

  /// Whether the list is local, which means that it has no source.
  package var isLocal: Bool { source.isEmpty }
}
