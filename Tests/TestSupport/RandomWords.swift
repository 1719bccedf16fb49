/// Words of random letters, the same in each run.
package struct RandomWords: Sendable {
  package let words: [String]

  package init() {
    var random = SplitMix64(seed: 7)
    let letters = Array("etaoinshrdlucmfwypvbgk")
    words = (0..<20_000).map { _ in
      String(
        (0..<Int.random(in: 2...9, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
  }

  package func word(using random: inout SplitMix64) -> String {
    words[Int.random(in: 0..<words.count, using: &random)]
  }

  /// Returns words separated by spaces, with at least the given number of bytes.
  package func text(byteCount: Int, using random: inout SplitMix64) -> String {
    var text = word(using: &random)
    while text.utf8.count < byteCount { text += " " + word(using: &random) }
    return text
  }
}

/// The SplitMix64 generator: the same numbers for the same seed.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
