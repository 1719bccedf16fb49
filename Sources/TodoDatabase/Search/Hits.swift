/// The matching positions of a list, as one bit for each position in the list's order.
struct Hits {
  private var bits: [UInt64]

  init(count: Int) { bits = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Creates a value in which all positions match.
  init(all count: Int) {
    self.init(count: count)
    for index in bits.indices { bits[index] = .max }
    if count % 64 > 0 { bits[bits.count - 1] = 1 << UInt64(count % 64) - 1 }
  }

  mutating func insert(_ place: Int) { bits[place / 64] |= 1 << UInt64(place % 64) }

  var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

  var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func formIntersection(_ other: Hits) {
    for index in bits.indices { bits[index] &= other.bits[index] }
  }

  mutating func subtract(_ other: Hits) {
    for index in bits.indices { bits[index] &= ~other.bits[index] }
  }

  func contains(_ place: Int) -> Bool { bits[place / 64] & 1 << UInt64(place % 64) != 0 }

  /// Returns the number of matches before a position.
  func count(before place: Int) -> Int {
    let whole = bits[..<(place / 64)].reduce(0) { $0 + $1.nonzeroBitCount }
    guard place % 64 > 0 else { return whole }
    return whole + (bits[place / 64] & (1 << UInt64(place % 64) - 1)).nonzeroBitCount
  }

  /// Returns the positions of at most `limit` matches, after skipping `offset` matches.
  func places(offset: Int, limit: Int) -> [Int] {
    var (places, skipped) = ([Int](), 0)
    for (index, word) in bits.enumerated() {
      guard places.count < limit else { break }
      let here = word.nonzeroBitCount
      if skipped + here <= offset {
        skipped += here
        continue
      }
      var rest = word
      while rest != 0, places.count < limit {
        if skipped >= offset {
          places.append(index * 64 + rest.trailingZeroBitCount)
        } else {
          skipped += 1
        }
        rest &= rest - 1
      }
    }
    return places
  }
}
