/// The filter of an agenda: a search query that can also select lists with `list:`.
///
///     try AgendaFilter("list:local label:home milk", of: lists)
package struct AgendaFilter: Sendable, Equatable {
  package private(set) var lists: [TodoListKey]
  /// The query without its `list:` qualifiers.
  package private(set) var text = ""

  /// Creates a filter that selects all todos of the lists.
  package init(all lists: [TodoListKey]) { self.lists = lists }

  /// Parses a filter.
  ///
  /// - Parameter lists: All lists of the agenda.
  /// - Throws: `validation` with the field `query`. The message names the allowed values.
  package init(_ text: String, of lists: [TodoListKey]) throws(TodoError) {
    self.lists = lists
    var rest: [String] = []
    for word in QueryWord.words(of: text) {
      switch word {
      case .plain(let text):
        guard let (names, isNegated) = Self.names(text) else {
          rest.append(String(text))
          continue
        }
        let known = lists.map(Self.name)
        guard names.allSatisfy(known.contains) else { throw Self.unknownList(lists) }
        self.lists.removeAll { names.contains(Self.name(of: $0)) == isNegated }
      case .qualifier(let name, let value, let isNegated):
        rest.append("\(isNegated ? "-" : "")\(name.rawValue):\(value)")
      }
    }
    self.text = rest.joined(separator: " ")
    try TodoFilter.check(self.text)
  }

  /// Returns the list names of a `list:` qualifier, and whether the qualifier is negated. Returns
  /// `nil` for any other word.
  private static func names(_ word: Substring) -> (names: [String], isNegated: Bool)? {
    let isNegated = word.hasPrefix("-")
    let text = word.dropFirst(isNegated ? 1 : 0).lowercased()
    guard text.hasPrefix("list:") else { return nil }
    let names = text.dropFirst("list:".count).filter { $0 != "\"" }
    return (
      names.split(separator: ",", omittingEmptySubsequences: false).map(String.init), isNegated
    )
  }

  private static func name(of list: TodoListKey) -> String {
    TodoSource.wireName(of: list).lowercased()
  }

  private static func unknownList(_ lists: [TodoListKey]) -> TodoError {
    let names = lists.map { TodoSource.wireName(of: $0) }.joined(separator: ", ")
    return .validation([FieldProblem(field: "query", message: "list: takes \(names).")])
  }
}
