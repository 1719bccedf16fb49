/// An array with a gap, at which elements are replaced. The time of a replacement therefore depends
/// on its distance from the previous replacement, and not on the size of the array.
struct GapBuffer<Element> {
  private var storage: [Element]
  private var gap: Range<Int>
  /// Whether a replacement has already widened the gap. The first such replacement adds no spare
  /// elements to the gap, because often no other replacement follows.
  private var hasWidenedGap = false

  init(_ elements: [Element]) {
    storage = elements
    gap = storage.endIndex..<storage.endIndex
  }

  var count: Int { storage.count - gap.count }
  /// The number of elements before the gap.
  var gapIndex: Int { gap.lowerBound }

  subscript(index: Int) -> Element {
    storage[index < gap.lowerBound ? index : index + gap.count]
  }

  /// Returns the elements in a range of indices. The whole range must be after the gap.
  func afterGap(_ range: Range<Int>) -> ArraySlice<Element> {
    storage[range.lowerBound + gap.count..<range.upperBound + gap.count]
  }

  /// Moves the gap.
  ///
  /// - Parameter body: Called with the elements that the gap has passed, to change them.
  mutating func moveGap(
    to index: Int, _ body: (UnsafeMutableBufferPointer<Element>) -> Void = { _ in }
  ) {
    let old = gap
    gap = index..<index + old.count
    storage.withUnsafeMutableBufferPointer { elements in
      guard let base = elements.baseAddress, index != old.lowerBound else { return }
      let passed =
        index < old.lowerBound ? gap.upperBound..<old.upperBound : old.lowerBound..<index
      if !old.isEmpty {
        let source = index < old.lowerBound ? index : old.upperBound
        (base + passed.lowerBound).update(from: base + source, count: passed.count)
      }
      body(UnsafeMutableBufferPointer(rebasing: elements[passed]))
    }
  }

  /// Replaces the last `before` elements before the gap and the first `after` elements after the
  /// gap, and moves the gap behind the new elements.
  mutating func replace(before: Int = 0, after: Int, with new: [Element]) {
    gap = gap.lowerBound - before..<gap.upperBound + after
    if gap.count < new.count { widenGap(by: new) }
    let end = gap.lowerBound + new.count
    storage.replaceSubrange(gap.lowerBound..<end, with: new)
    gap = end..<gap.upperBound
  }

  private mutating func widenGap(by new: [Element]) {
    let spareCount = hasWidenedGap ? storage.count / 8 : 0
    hasWidenedGap = true
    let added = max(new.count - gap.count, spareCount)
    storage.insert(contentsOf: repeatElement(new[0], count: added), at: gap.upperBound)
    gap = gap.lowerBound..<gap.upperBound + added
  }

  /// Removes the gap, and returns the elements without a copy.
  mutating func close() -> [Element] {
    storage.removeSubrange(gap)
    gap = storage.endIndex..<storage.endIndex
    return storage
  }
}
