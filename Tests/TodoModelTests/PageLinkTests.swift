import Testing
import TodoModel

/// A load ends even if the links of a source lead from page to page in a circle, or always to a new
/// page.
@Suite struct PageLinkTests {
  /// Returns the number of pages that are requested before a link is refused.
  private func count(first: Int, circle: Int) -> Int {
    var link = PageLink(url: "page 0")
    while true {
      let next = link.number < first ? link.number : first + (link.number - first) % circle
      guard let page = try? link.next("page \(next)") else { return link.number }
      link = page
    }
  }

  @Test(arguments: [1, 2, 3, 7, 8, 100, 1_000])
  func cycleIsFoundWithinThreeRounds(circle: Int) {
    for first in [0, 1, 5, 64] {
      #expect(count(first: first, circle: circle) <= 3 * max(first, circle) + 2)
    }
  }

  @Test func listHasAtMostTenThousandPages() throws {
    var link = PageLink(url: "page 1")
    for number in 2...PageLink.pagesMax { link = try link.next("page \(number)") }
    let error = #expect(throws: TodoError.self) { try link.next("one more") }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message == "The source has more than 10000 pages.")
  }

  /// The pages are also counted if another process continues the load.
  @Test func numberOfAContinuedLoadCounts() throws {
    let link = PageLink(url: "last", number: PageLink.pagesMax)
    #expect(throws: TodoError.self) { try link.next("one more") }
  }
}
