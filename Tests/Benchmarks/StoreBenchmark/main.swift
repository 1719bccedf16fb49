// Usage: StoreBenchmark [PART...]     all parts, or some of: edit note search start typing scroll
//                                     reload memory query
//
// Measures the store of todos beside what SQLite itself needs, in one run. Where a figure is a
// ratio, both sides are measured in turns. Wall time, and in brackets the processor's time, which
// says more on a machine that does other things, too. Build for release.

import System

do {
  let arguments = CommandLine.arguments
  if arguments.count == 3, arguments[1].hasPrefix("--") {
    try carryOut(arguments[1], arguments[2])
  } else {
    for part in Part.wanted(arguments) { try part.measure() }
  }
} catch {
  print("StoreBenchmark: \(error)")
  exit(1)
}

enum Part: String, CaseIterable {
  case edit, note, search, start, typing, scroll, reload, memory, query

  /// Returns the parts that the command line names; all parts if it names none.
  static func wanted(_ arguments: [String]) -> [Part] {
    let named = arguments.dropFirst().compactMap(Part.init(rawValue:))
    return named.isEmpty ? allCases : named
  }

  func measure() throws {
    switch self {
    case .edit: try measureEdit()
    case .note: try measureLargestNote()
    case .search: try measureSearch()
    case .start: try measureStart()
    case .typing: try measureTyping()
    case .scroll: try measureScroll()
    case .reload: try measureReload()
    case .memory: try measureMemory()
    case .query: try measureQualifiers()
    }
  }
}
