import Testing
import TodoDocument

@testable import TodoLanguageServer

@Suite("Cache of generations")
struct GenerationCacheTests {
  /// An editor that applies no edit keeps showing the same generation (recorded version of the
  /// document), while the server appends further generations for the editor.
  @Test("keeps used generations and evicts unused ones")
  func useKeeps() {
    var cache = GenerationCache()
    for number in 1...40 as ClosedRange<Int64> {
      cache[number] = BufferHistory(nil)
      #expect(cache.use(1) != nil)
    }
    #expect(cache.use(2) == nil)
    #expect(cache.use(40) != nil)
  }
}
