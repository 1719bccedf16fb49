/// A value behind a reference, so that structs that contain it are cheap to copy and compare.
///
/// On each keypress, the state of the list is copied about ten times, and compared a few times.
/// Most copies contain the same references.
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
