/// An object that a render requests by type and key: a child, a worker or a side effect. If a
/// render of a node does not request an object that the previous render requested, the node removes
/// this object.
@usableFromInline
protocol Reconcilable: AnyObject {
  associatedtype Key: ReconcilerKey

  var typeID: ObjectIdentifier { get }
  var key: Key { get }

  /// The number of the render that last requested the object.
  var lastRequestingRender: UInt { get set }
}

/// A comparison of the requests of a render with those of the previous render, in order.
///
/// The elements are the requested objects. The i-th request is nearly always for the i-th element
/// of the previous render, so this element is compared first. A render that requests the same
/// elements in the same order allocates nothing. A new list is created only if the order differs.
/// An index is created only if a long list must be searched.
@usableFromInline
struct Reconciler<Element: Reconcilable> {
  @usableFromInline
  struct Identity: Hashable {
    let typeID: ObjectIdentifier
    let key: Element.Key

    init(typeID: ObjectIdentifier, key: Element.Key) {
      self.typeID = typeID
      self.key = key
    }

    init(_ element: Element) {
      self.init(typeID: element.typeID, key: element.key)
    }
  }

  /// The result of a request.
  enum Claim {
    case found(Element)
    case missing
    case duplicate(Element)
  }

  /// The number of elements up to which a linear search is faster than an index.
  private static var searchCountMax: Int { 16 }

  /// The number of the current render.
  @usableFromInline let render: UInt

  /// The position of the element of the previous render that is expected to be requested next.
  @usableFromInline var cursor = 0

  /// The first position whose element may be unclaimed. If an element is requested out of order,
  /// the search for this element begins at this position.
  @usableFromInline var firstUnclaimed = 0

  /// The number of new elements.
  @usableFromInline var addedCount = 0

  /// The elements in their new order; `nil` while it equals the previous order.
  @usableFromInline var reordered: ContiguousArray<Element>?

  /// The previous elements by identity; created by the first request out of order, if there are
  /// many elements.
  @usableFromInline var index: [Identity: Element]?

  @inlinable
  init(render: UInt) {
    self.render = render
  }

  mutating func claim(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Claim {
    if let next = claimNext(typeID, key, in: current) { return .found(next) }
    return search(typeID, key, in: current)
  }

  /// Claims and returns the next element in the order of the previous render, if its type and key
  /// are the requested ones. Otherwise returns `nil`.
  @inline(__always)
  mutating func claimNext(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Element? {
    guard cursor < current.count else { return nil }
    let next = current[cursor]
    guard next.typeID == typeID, next.lastRequestingRender != render, next.key == key else {
      return nil
    }
    cursor += 1
    next.lastRequestingRender = render
    reordered?.append(next)
    return next
  }

  /// Whether the previous render had no elements, so that this render has added all `count`
  /// elements. No search for a requested element is then needed.
  @inline(__always)
  func hasNoPreviousElements(count: Int) -> Bool {
    reordered == nil && addedCount == count
  }

  /// Claims an element of the previous render that is requested out of order.
  mutating func search(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Claim {
    while firstUnclaimed < current.count, current[firstUnclaimed].lastRequestingRender == render {
      firstUnclaimed += 1
    }
    if firstUnclaimed < current.count {
      let waiting = current[firstUnclaimed]
      if waiting.typeID == typeID, waiting.key == key {
        beginReordering(current)
        cursor = firstUnclaimed + 1
        return claim(waiting)
      }
    }
    guard let element = lookUp(typeID, key, in: current) else { return .missing }
    if element.lastRequestingRender == render { return .duplicate(element) }
    beginReordering(current)
    return claim(element)
  }

  /// Adds a new element.
  mutating func add(_ element: Element, to current: inout ContiguousArray<Element>) {
    element.lastRequestingRender = render
    addedCount += 1
    if reordered == nil, cursor == current.count {
      current.append(element)
      cursor += 1
    } else {
      beginReordering(current)
      reordered?.append(element)
    }
  }

  /// Whether exactly the previous elements were requested, in the same order.
  @inlinable
  func isUnchanged(count: Int) -> Bool {
    reordered == nil && cursor == count && addedCount == 0
  }

  /// Ends the comparison: replaces the contents of `current` with the requested elements. Returns
  /// the previous elements that were not requested.
  mutating func finish(_ current: inout ContiguousArray<Element>) -> ContiguousArray<Element> {
    guard let reordered else {
      guard cursor < current.count else { return [] }
      let unclaimed = ContiguousArray(current[cursor...])
      current.removeSubrange(cursor...)
      return unclaimed
    }
    var unclaimed = reordered
    swap(&unclaimed, &current)
    unclaimed.removeAll { [render] in $0.lastRequestingRender == render }
    return unclaimed
  }

  /// Returns an element that is new in this render and was requested twice; `nil` if there is none.
  /// A repeated request for a previous element is detected by `search`. Call this method after
  /// `finish`.
  func duplicate(in current: ContiguousArray<Element>) -> Element? {
    guard addedCount > 1 else { return nil }
    guard current.count <= Self.searchCountMax else { return duplicateOfMany(in: current) }
    // Each pair is compared only once: the `==` of a key is user code, and need not be consistent.
    for (position, element) in current.enumerated() {
      let isRepeated = current[..<position].contains {
        $0.typeID == element.typeID && $0.key == element.key
      }
      if isRepeated { return element }
    }
    return nil
  }

  /// Searches, with a hash table, for an element that equals an earlier element. This method checks
  /// every new node of a large tree. A `Set` would take five times as long for each node.
  private func duplicateOfMany(in current: ContiguousArray<Element>) -> Element? {
    let mask = (1 << (Int.bitWidth - current.count.leadingZeroBitCount + 1)) - 1
    var table = ContiguousArray<Int>(repeating: -1, count: mask + 1)
    for position in current.indices {
      let element = current[position]
      let type = UInt(bitPattern: element.typeID) >> 4
      var slot = Int(truncatingIfNeeded: element.key.quickHash ^ type) & mask
      while table[slot] >= 0 {
        let other = current[table[slot]]
        if other.typeID == element.typeID && other.key == element.key { return element }
        slot = (slot + 1) & mask
      }
      table[slot] = position
    }
    return nil
  }

  private mutating func claim(_ element: Element) -> Claim {
    element.lastRequestingRender = render
    reordered?.append(element)
    return .found(element)
  }

  private mutating func lookUp(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Element? {
    if let index { return index[Identity(typeID: typeID, key: key)] }
    if hasNoPreviousElements(count: current.count) { return nil }
    guard current.count > Self.searchCountMax else {
      return current.first { $0.typeID == typeID && $0.key == key }
    }
    var index: [Identity: Element] = [:]
    index.reserveCapacity(current.count)
    for element in current { index[Identity(element)] = element }
    self.index = index
    return index[Identity(typeID: typeID, key: key)]
  }

  private mutating func beginReordering(_ current: ContiguousArray<Element>) {
    if reordered == nil { reordered = ContiguousArray(current[..<cursor]) }
  }
}

/// A key with a hash that is faster to compute than its `hashValue`.
@usableFromInline
protocol ReconcilerKey: Hashable {
  /// A hash that is equal for equal keys. It is used only within one pass.
  var quickHash: UInt { get }
}

extension AnyHashable: ReconcilerKey {
  @usableFromInline var quickHash: UInt { UInt(bitPattern: hashValue) }
}

extension String: ReconcilerKey {
  /// The FNV hash of the bytes, with a random seed. For text that is not ASCII, it is `hashValue`,
  /// because equal texts can have different bytes.
  @usableFromInline var quickHash: UInt {
    let hash = utf8.withContiguousStorageIfAvailable { bytes in
      var hash = quickHashSeed
      var seen: UInt8 = 0
      for byte in bytes {
        seen |= byte
        hash = (hash ^ UInt(byte)) &* 0x100_0000_01b3
      }
      return seen < 0x80 ? hash ^ hash >> 32 : nil
    }
    return (hash ?? nil) ?? UInt(bitPattern: hashValue)
  }
}

private let quickHashSeed = UInt.random(in: 0 ... .max)
