/// A stack whose top elements can be moved out as an array.
///
/// The parser collects the children of all open containers on one stack, so that each container
/// gets an array of exactly its size, and no child is copied or retained.
struct MoveStack<Element>: ~Copyable {
  private var storage: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  /// Whether the storage belongs to the caller.
  private var isLent = false

  init() {
    storage = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  /// Creates a stack that uses the given storage until its elements no longer fit. The storage must
  /// outlive the stack.
  init(lent storage: UnsafeMutableBufferPointer<Element>) {
    self.storage = storage
    isLent = true
  }

  deinit {
    _ = storage.extracting(..<count).deinitialize()
    if !isLent { storage.deallocate() }
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if count == storage.count {
      grow(toHold: count + 1)
    }
    storage.initializeElement(at: count, to: element)
    count += 1
  }

  /// Moves the top element out of the stack; `nil` if the stack is empty.
  @inline(__always)
  mutating func pop() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage.moveElement(from: count)
  }

  /// Updates the top element in place; returns `nil` if the stack is empty.
  @inline(__always)
  @discardableResult
  mutating func updateTop<Result>(_ update: (inout Element) -> Result) -> Result? {
    guard count > 0 else { return nil }
    return update(&storage[count - 1])
  }

  mutating func push(contentsOf elements: UnsafeBufferPointer<Element>) {
    if storage.count - count < elements.count {
      grow(toHold: count + elements.count)
    }
    _ = storage.extracting(count...).initialize(fromContentsOf: elements)
    count += elements.count
  }

  /// Reserves capacity for this many elements in total. Unused capacity costs no memory, because
  /// the operating system provides memory only for the pages that are used.
  mutating func reserve(_ neededCount: Int) {
    if storage.count < neededCount {
      grow(toHold: neededCount)
    }
  }

  mutating func removeAll() { removeAll(from: 0) }

  mutating func removeAll(from start: Int) {
    _ = storage.extracting(start..<count).deinitialize()
    count = start
  }

  /// Moves all elements from `start` out of the stack, and returns them.
  mutating func popAll(from start: Int) -> [Element] {
    let popped = storage.extracting(start..<count)
    count = start
    return Array(unsafeUninitializedCapacity: popped.count) { target, initializedCount in
      initializedCount = target.moveInitialize(fromContentsOf: popped)
    }
  }

  /// Returns the elements from `start`, valid until the stack is changed.
  @inline(__always)
  func elements(from start: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(storage.extracting(start..<count))
  }

  @inline(never)
  private mutating func grow(toHold neededCount: Int) {
    let capacity = max(16, storage.count * 2, neededCount)
    let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: capacity)
    _ = larger.moveInitialize(fromContentsOf: storage.extracting(..<count))
    if !isLent { storage.deallocate() }
    (storage, isLent) = (larger, false)
  }
}
