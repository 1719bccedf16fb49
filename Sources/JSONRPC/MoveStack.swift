/// A stack whose top can be moved out as an array.
///
/// The parser collects the children of every open container on one stack, so that each container
/// gets an array of exactly its size and nothing is copied or retained on the way.
struct MoveStack<Element>: ~Copyable {
  private var storage: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0

  /// Whether the storage is somebody else's.
  private var isLent = false

  init() {
    storage = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  /// A stack that needs no memory of its own while it is small. The storage has to outlive it.
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

  /// Moves the top out of the stack, nil when it is empty.
  @inline(__always)
  mutating func pop() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage.moveElement(from: count)
  }

  /// Changes the top in place; nil when there is none.
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

  /// Makes room for this many elements in all. What is not used of it costs no memory.
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

  /// Moves everything from `start` on out of the stack.
  mutating func popAll(from start: Int) -> [Element] {
    let popped = storage.extracting(start..<count)
    count = start
    return Array(unsafeUninitializedCapacity: popped.count) { target, initializedCount in
      initializedCount = target.moveInitialize(fromContentsOf: popped)
    }
  }

  /// Lends the elements from `start` on.
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
