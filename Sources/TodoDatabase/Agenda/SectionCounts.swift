import TodoModel

/// The numbers of open todos in each section of the agenda.
struct SectionCounts {
  private var counts = [Int](repeating: 0, count: AgendaSection.allCases.count)

  subscript(section: AgendaSection) -> Int {
    get { counts[section.rawValue] }
    set { counts[section.rawValue] = newValue }
  }

  mutating func add(_ other: SectionCounts) {
    for section in AgendaSection.allCases { self[section] += other[section] }
  }
}

/// A cache of the section counts of lists. It avoids repeated counting, because each count reads a
/// row for each day that ever had a todo.
struct CachedSectionCounts {
  private struct Entry {
    var counts: SectionCounts
    var versions: ListVersions
    var today: CivilDay
  }

  /// The maximum number of cached lists. A cache with this many lists is emptied before another
  /// list is added.
  private static let listsMax = 64
  private var entries: [Int64: Entry] = [:]

  /// Returns the number of open todos in each section of the agenda of a list. Calls `count` if the
  /// numbers are not cached for this state of the list and this day.
  mutating func counts(
    of list: ListState, on today: CivilDay,
    count: (DayRange) throws(TodoError) -> Int
  ) throws(TodoError) -> SectionCounts {
    if let known = entries[list.number], known.versions == list.versions, known.today == today {
      return known.counts
    }
    var counts = SectionCounts()
    for section in AgendaSection.allCases { counts[section] = try count(section.days(on: today)) }
    if entries.count >= Self.listsMax { entries.removeAll() }
    entries[list.number] = Entry(counts: counts, versions: list.versions, today: today)
    return counts
  }
}
