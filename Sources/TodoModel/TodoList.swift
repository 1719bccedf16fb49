/// The key of a list: a profile and a source. Each pair has its own list.
///
/// Names are compared byte for byte everywhere: two Unicode forms of the same name are two
/// profiles.
package struct TodoListKey: Hashable, Sendable {
  /// The name with which the user logged in.
  package var profile: String
  /// The name of the source, such as `github:owner/repo`; `""` for the local one.
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

  /// Whether the list has no source.
  package var isLocal: Bool { source.isEmpty }
}
