/// A value behind a reference, so that the structs that contain it are cheap to copy and to compare.
///
/// A keypress copies the state of its list about ten times, and compares it a few times. Most copies
/// contain the same references.
@propertyWrapper
struct Shared<Value: Sendable & Equatable>: Sendable, Equatable {
  private final class Storage: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var storage: Storage

  init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  var wrappedValue: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }

  static func == (a: Shared, b: Shared) -> Bool {
    a.storage === b.storage || a.storage.value == b.storage.value
  }
}
