import TestSupport

/// The random decisions of a run, from one seed.
struct SeededRandom {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(max(bound, 1))) }
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(generator.next() % UInt64(range.upperBound - range.lowerBound + 1))
  }
  mutating func flag() -> Bool { generator.next() & 1 == 0 }
  mutating func happens(percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
