/// Something that a render asks for by type and key, and that lives on while it is asked for:
/// a child, a worker, a side effect.
@usableFromInline
protocol Reconcilable: AnyObject {
  associatedtype Key: ReconcilerKey

  var typeID: ObjectIdentifier { get }
  var key: Key { get }

  /// The number of the render that asked for it last.
  var claimedBy: UInt { get set }
}

/// Compares what one render asks for with what the last one left, in the order of asking.
///
/// The i-th request is nearly always the i-th element of last time, so that is looked at first, and
/// a render that asks for the same things in the same order allocates nothing. Only when the order
/// differs is a new list begun, and only when it is long is there an index.
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

  /// The answer to a request.
  enum Claim {
    case found(Element)
    case missing
    case duplicate(Element)
  }

  /// Below this many elements a search from front to back is quicker than an index.
  private static var searchCountMax: Int { 16 }

  /// The number of the render that is asking.
  @usableFromInline let render: UInt

  /// The element of last time that is expected next.
  @usableFromInline var cursor = 0

  /// Where to go on when an element was found out of turn and the ones behind it are not next.
  @usableFromInline var passedOver = 0

  /// How many elements are new.
  @usableFromInline var addedCount = 0

  /// The new order, from the first difference on.
  @usableFromInline var reordered: ContiguousArray<Element>?

  /// The elements of last time by identity: made with the first request out of turn, if there are
  /// many.
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

  /// The request that nearly always is: the one of last time in its turn.
  @inline(__always)
  mutating func claimNext(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Element? {
    guard cursor < current.count else { return nil }
    let next = current[cursor]
    guard next.typeID == typeID, next.claimedBy != render, next.key == key else { return nil }
    cursor += 1
    next.claimedBy = render
    reordered?.append(next)
    return next
  }

  /// Whether there is nothing left over from last time, so that a request can only be a new one.
  @inline(__always)
  func isBeyondAll(count: Int) -> Bool {
    reordered == nil && addedCount == count
  }

  /// A request out of turn.
  mutating func search(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Claim {
    while passedOver < current.count, current[passedOver].claimedBy == render { passedOver += 1 }
    if passedOver < current.count {
      let waiting = current[passedOver]
      if waiting.typeID == typeID, waiting.key == key {
        beginReordering(current)
        cursor = passedOver + 1
        return claim(waiting)
      }
    }
    guard let element = lookUp(typeID, key, in: current) else { return .missing }
    if element.claimedBy == render { return .duplicate(element) }
    beginReordering(current)
    return claim(element)
  }

  /// Adds an element that was missing.
  mutating func add(_ element: Element, to current: inout ContiguousArray<Element>) {
    element.claimedBy = render
    addedCount += 1
    if reordered == nil, cursor == current.count {
      current.append(element)
      cursor += 1
    } else {
      beginReordering(current)
      reordered?.append(element)
    }
  }

  /// Whether exactly the elements of last time were asked for, in their order.
  @inlinable
  func isUnchanged(count: Int) -> Bool {
    reordered == nil && cursor == count && addedCount == 0
  }

  /// Ends the comparison: `current` is what was asked for, and what was not is returned.
  mutating func finish(_ current: inout ContiguousArray<Element>) -> ContiguousArray<Element> {
    guard let reordered else {
      guard cursor < current.count else { return [] }
      let unclaimed = ContiguousArray(current[cursor...])
      current.removeSubrange(cursor...)
      return unclaimed
    }
    var unclaimed = reordered
    swap(&unclaimed, &current)
    unclaimed.removeAll { [render] in $0.claimedBy == render }
    return unclaimed
  }

  /// An element that was asked for twice. Only new ones are in question: one of last time is
  /// recognised at its second request. To be asked after `finish`.
  func duplicate(in current: ContiguousArray<Element>) -> Element? {
    guard addedCount > 1 else { return nil }
    guard current.count <= Self.searchCountMax else { return duplicateOfMany(in: current) }
    // Each pair is compared once: a key's `==` is code of the user, and may answer as it likes.
    for (position, element) in current.enumerated() {
      let isRepeated = current[..<position].contains {
        $0.typeID == element.typeID && $0.key == element.key
      }
      if isRepeated { return element }
    }
    return nil
  }

  /// Looks each element up in a table of the positions before it. Every new node of a large tree
  /// comes by here, and a `Set` takes five times as long for each.
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
    element.claimedBy = render
    reordered?.append(element)
    return .found(element)
  }

  private mutating func lookUp(
    _ typeID: ObjectIdentifier, _ key: Element.Key, in current: ContiguousArray<Element>
  ) -> Element? {
    if let index { return index[Identity(typeID: typeID, key: key)] }
    if isBeyondAll(count: current.count) { return nil }
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

/// A key that has a hash which is quicker to have than the one of `Hashable`.
@usableFromInline
protocol ReconcilerKey: Hashable {
  /// The same for equal keys. Used for at most as long as one pass takes.
  var quickHash: UInt { get }
}

extension AnyHashable: ReconcilerKey {
  @usableFromInline var quickHash: UInt { UInt(bitPattern: hashValue) }
}

extension String: ReconcilerKey {
  /// Fowler, Noll and Vo's hash of the bytes, which begins with a number that nobody outside this
  /// process knows. Text that is not ASCII can be equal in other bytes, so it takes the long way.
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
