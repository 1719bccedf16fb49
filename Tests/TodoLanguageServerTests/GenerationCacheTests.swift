import Testing

@testable import TodoLanguageServer

@Suite("What is known of the texts that a buffer was made from")
struct GenerationCacheTests {
  /// An editor that takes no edit shows the same text, while others are kept for it.
  @Test("stays for as long as it is used, and what nobody uses goes")
  func useKeeps() {
    var cache = GenerationCache()
    for number in 1...40 as ClosedRange<Int64> {
      cache[number] = KnownText(nil)
      #expect(cache.use(1) != nil)
    }
    #expect(cache.use(2) == nil)
    #expect(cache.use(40) != nil)
  }
}
