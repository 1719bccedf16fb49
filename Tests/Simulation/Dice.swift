import TestSupport

/// Everything that is left to chance, from one seed.
struct Dice {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
  }
  mutating func flag() -> Bool { random.next() & 1 == 0 }
  mutating func happens(percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
