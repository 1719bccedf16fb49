import TodoModel

/// An iCalendar object with a todo (VTODO), as lines of text. Lines that are not edited keep their
/// bytes.
///
/// If the todo repeats, the object can contain several VTODOs. The todo is the VTODO without a
/// `RECURRENCE-ID`; the others are occurrences that were changed. If each VTODO has a
/// `RECURRENCE-ID`, the todo is the first.
struct CalendarObject: Sendable {
  /// The maximum size of an object, in bytes.
  static let bytesMax = 4 << 20
  /// The maximum depth of nested components.
  private static let depthMax = 16

  private(set) var lines: [ContentLine]
  /// The range of the todo's lines, from `BEGIN:VTODO` to `END:VTODO`.
  private var component: Range<Int>
  /// The properties of the todo, with the indices of their lines.
  private var own: [(index: Int, property: CalendarProperty)]
  private let lineEnd: [UInt8]
  let uid: String

  /// The reason why an object cannot be read as a todo.
  enum Problem: Error, Equatable {
    /// The object has no VTODO. It may be an event.
    case notTodo
    case unreadable(String)
  }

  init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.bytesMax else {
      throw .unreadable("it has more than \(Self.bytesMax) bytes")
    }
    lines = ContentLine.lines(of: bytes)
    lineEnd = lines.first?.raw.suffix(2) == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A]
    let todos = try Self.todos(in: lines)
    guard !todos.isEmpty else { throw .notTodo }
    let lines = lines
    let components = todos.map { (range: $0, own: Self.properties(in: $0, of: lines)) }
    let uids = components.map { Self.first("UID", of: $0.own)?.valueText ?? "" }
    guard uids.allSatisfy({ $0.hasSameBytes(as: uids[0]) }) else {
      throw .unreadable("it has two UIDs")
    }
    let series = components.filter { Self.first("RECURRENCE-ID", of: $0.own) == nil }
    guard series.count <= 1 else { throw .unreadable("it has two todos with one UID") }
    (component, own) = series.first ?? components[0]
    uid = uids[0]
  }

  /// Creates an object with the properties that every todo must have.
  init(uid: String, at now: Timestamp) {
    let time = CalendarTime.utc(now)
    lineEnd = [0x0D, 0x0A]
    let texts = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todo-server//todo-server//EN", "BEGIN:VTODO",
      "UID:\(uid)", "DTSTAMP:\(time)", "CREATED:\(time)", "LAST-MODIFIED:\(time)", "END:VTODO",
      "END:VCALENDAR",
    ]
    lines = texts.map { ContentLine(folding: Array($0.utf8), lineEnd: [0x0D, 0x0A]) }
    component = 3..<(texts.count - 1)
    own = Self.properties(in: component, of: lines)
    self.uid = uid
  }

  var bytes: [UInt8] { lines.flatMap(\.raw) }

  /// Returns the line ranges of all VTODOs.
  private static func todos(in lines: [ContentLine]) throws(Problem) -> [Range<Int>] {
    var open: [(name: String, start: Int)] = []
    var todos: [Range<Int>] = []
    var isClosed = false
    for (index, line) in lines.enumerated() where !line.text.isEmpty {
      guard line.mayBeDelimiter, let property = CalendarProperty(line),
        ["BEGIN", "END"].contains(property.name)
      else {
        guard !open.isEmpty else { throw .unreadable("it has text outside of its components") }
        continue
      }
      let name = property.valueText.trimmed.uppercased()
      if property.name == "BEGIN" {
        guard !open.isEmpty || name == "VCALENDAR" && !isClosed, open.count < depthMax else {
          throw .unreadable("its components are not inside one VCALENDAR")
        }
        open.append((name, index))
      } else {
        guard let last = open.popLast(), last.name == name else {
          throw .unreadable("END:\(name) ends no component")
        }
        if name == "VTODO", open.count == 1 { todos.append(last.start..<(index + 1)) }
        isClosed = open.isEmpty
      }
    }
    guard open.isEmpty, isClosed else { throw .unreadable("it is not whole") }
    return todos
  }

  private static func first(
    _ name: String, of properties: [(index: Int, property: CalendarProperty)]
  ) -> CalendarProperty? {
    properties.first { $0.property.name == name }?.property
  }

  /// Returns the properties of a component, without those of nested components.
  private static func properties(
    in component: Range<Int>, of lines: [ContentLine]
  ) -> [(index: Int, property: CalendarProperty)] {
    var depth = 0
    var found: [(Int, CalendarProperty)] = []
    for index in component.dropFirst().dropLast() {
      guard let property = CalendarProperty(lines[index]) else { continue }
      switch property.name {
      case "BEGIN": depth += 1
      case "END": depth -= 1
      default: if depth == 0 { found.append((index, property)) }
      }
    }
    return found
  }

  // MARK: Properties of the todo

  func all(_ name: String) -> [(index: Int, property: CalendarProperty)] {
    own.filter { $0.property.name == name }
  }

  /// The first property with the given name; `nil` if there is none.
  subscript(name: String) -> CalendarProperty? { Self.first(name, of: own) }

  func has(anyOf names: Set<String>) -> Bool {
    own.contains { names.contains($0.property.name) }
  }

  mutating func replace(_ index: Int, with text: [UInt8]) {
    lines[index] = ContentLine(folding: text, lineEnd: lineEnd)
    own = Self.properties(in: component, of: lines)
  }

  /// Removes all properties with the given name.
  mutating func remove(_ name: String) {
    for (index, _) in all(name).reversed() { remove(at: index) }
  }

  mutating func remove(at index: Int) {
    lines.remove(at: index)
    component = component.lowerBound..<(component.upperBound - 1)
    own = Self.properties(in: component, of: lines)
  }

  /// Adds a property after the other properties of the todo.
  mutating func append(_ property: CalendarProperty) {
    let last = own.last?.index ?? component.lowerBound
    lines.insert(ContentLine(folding: property.text, lineEnd: lineEnd), at: last + 1)
    component = component.lowerBound..<(component.upperBound + 1)
    own = Self.properties(in: component, of: lines)
  }

  /// Sets the value of a property. Removes its parameters in `dropped`, and leaves the others.
  mutating func set(
    _ name: String, to value: [UInt8], without dropped: Set<String> = []
  ) {
    if let (index, property) = all(name).first {
      replace(index, with: property.with(value: value, without: dropped))
    } else {
      append(CalendarProperty(name, value: value))
    }
  }

  mutating func set(_ name: String, to value: String) { set(name, to: Array(value.utf8)) }
}

extension ContentLine {
  /// Whether the line can be `BEGIN` or `END`, judged by its first letter. Most other lines need
  /// not be parsed.
  fileprivate var mayBeDelimiter: Bool {
    text.first.map { [UInt8(ascii: "b"), UInt8(ascii: "e")].contains($0 | 0x20) } ?? false
  }
}
