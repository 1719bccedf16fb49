import JSONRPC

/// The effect of a newer schema on front-ends that were written against an older one.
///
/// A change is additive if an old front-end works as before: new members may be ignored, requests
/// that were complete still are, and everything that it reads still exists. All other changes break
/// it.
struct SchemaComparison {
  /// The side that sends the messages of a schema. Compatibility is promised to the other side.
  private enum Writer { case server, frontEnd }

  private(set) var additions: [String] = []
  private(set) var breaks: [String] = []
  private let old: JSON
  private let new: JSON
  /// The definitions whose comparison is complete or in progress.
  private var seen: Set<String> = []

  init(old: JSON, new: JSON) {
    self.old = old
    self.new = new
    compareDefinition("fromServer", .server)
    compareDefinition("fromFrontEnd", .frontEnd)
    for name in Self.definitions(old).keys where name.hasSuffix("Result") {
      compareDefinition(name, .server)
    }
    for name in Self.definitions(new).keys where Self.definitions(old)[name] == nil {
      additions.append(name)
    }
  }

  private init(_ other: SchemaComparison) {
    (old, new, seen) = (other.old, other.new, other.seen)
  }

  private static func definitions(_ document: JSON) -> JSONObject {
    document["$defs"]?.objectValue ?? JSONObject()
  }

  private mutating func compareDefinition(_ name: String, _ writer: Writer) {
    guard seen.insert("\(name) \(writer)").inserted else { return }
    guard let before = Self.definitions(old)[name] else { return }
    guard let after = Self.definitions(new)[name] else {
      breaks.append("\(name) is gone")
      return
    }
    compare(before, after, name, writer)
  }

  // MARK: Any schema

  private mutating func compare(
    _ before: JSON, _ after: JSON, _ place: String, _ writer: Writer
  ) {
    if let name = Self.reference(before), Self.reference(after) == name {
      return compareDefinition(name, writer)
    }
    let (before, after) = (resolve(before, in: old), resolve(after, in: new))
    guard before != after || Self.hasReference(before) else { return }
    if before["anyOf"] != nil || after["anyOf"] != nil {
      return compareAlternatives(before, after, place, writer)
    }
    if let words = before["enum"]?.arrayValue, let newWords = after["enum"]?.arrayValue {
      return compareWords(words, newWords, before, after, place, writer)
    }
    let compared = [
      "properties", "required", "items", "additionalProperties", "minimum", "description",
    ]
    for key in Set((before.objectValue?.keys).map(Array.init) ?? [])
      .union((after.objectValue?.keys).map(Array.init) ?? []).sorted()
    where !compared.contains(key) && before[key] != after[key] {
      breaks.append("\(place) has another \(key)")
    }
    compareLeast(before["minimum"]?.integerValue, after["minimum"]?.integerValue, place, writer)
    compareParts("items", before, after, "\(place)[]", writer)
    compareParts("additionalProperties", before, after, "\(place).*", writer)
    compareMembers(before, after, place, writer)
  }

  private mutating func compareParts(
    _ key: String, _ before: JSON, _ after: JSON, _ place: String, _ writer: Writer
  ) {
    switch (before[key], after[key]) {
    case (nil, nil): break
    case (let before?, let after?): compare(before, after, place, writer)
    case (nil, _?), (_?, nil): breaks.append("\(place) is open now, or was")
    }
  }

  private mutating func compareLeast(
    _ before: Int64?, _ after: Int64?, _ place: String, _ writer: Writer
  ) {
    let (before, after) = (before ?? .min, after ?? .min)
    guard before != after else { return }
    let isWider = after < before
    if isWider == (writer == .frontEnd) {
      additions.append("\(place) has another range")
    } else {
      breaks.append("\(place) has another range")
    }
  }

  // MARK: Words and alternatives

  private mutating func compareWords(
    _ before: [JSON], _ after: [JSON], _ oldSchema: JSON, _ newSchema: JSON, _ place: String,
    _ writer: Writer
  ) {
    let wasOpen = oldSchema["x-open"] == true
    for word in before where !after.contains(word) {
      breaks.append("\(place): \(word.compactText) is gone")
    }
    for word in after where !before.contains(word) {
      let text = "\(place): \(word.compactText)"
      if writer == .frontEnd || wasOpen {
        additions.append(text)
      } else {
        breaks.append("\(text) is new, and the set is closed")
      }
    }
    if writer == .server, !wasOpen, newSchema["x-open"] == true {
      breaks.append("\(place) is open now")
    }
  }

  private mutating func compareAlternatives(
    _ oldSchema: JSON, _ newSchema: JSON, _ place: String, _ writer: Writer
  ) {
    let before = oldSchema["anyOf"]?.arrayValue ?? [oldSchema]
    let after = newSchema["anyOf"]?.arrayValue ?? [newSchema]
    var matched: Set<Int> = []
    for alternative in before {
      let places = after.indices.filter { !matched.contains($0) }
      // Definitions with the same name are compared with each other, however different they are.
      let named = Self.reference(alternative).flatMap { name in
        places.first { Self.reference(after[$0]) == name }
      }
      if let index = named ?? places.first(where: { fits(alternative, after[$0], writer) }) {
        matched.insert(index)
        compare(alternative, after[index], place, writer)
      } else {
        breaks.append("\(place): \(Self.name(of: alternative)) is gone, or is another one")
      }
    }
    for index in after.indices where !matched.contains(index) {
      let text = "\(place): \(Self.name(of: after[index]))"
      if writer == .frontEnd || oldSchema["x-open"] == true {
        additions.append(text)
      } else {
        breaks.append("\(text) is new, and the set is closed")
      }
    }
  }

  private func fits(_ before: JSON, _ after: JSON, _ writer: Writer) -> Bool {
    var trial = SchemaComparison(self)
    trial.compare(before, after, "", writer)
    return trial.breaks.isEmpty
  }

  // MARK: Members

  private mutating func compareMembers(
    _ before: JSON, _ after: JSON, _ place: String, _ writer: Writer
  ) {
    let oldMembers = before["properties"]?.objectValue ?? JSONObject()
    let newMembers = after["properties"]?.objectValue ?? JSONObject()
    let wasRequired = Set((before["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    let isRequired = Set((after["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    for (name, schema) in oldMembers.members {
      guard let newSchema = newMembers[name] else {
        breaks.append("\(place).\(name) is gone")
        continue
      }
      compare(schema, newSchema, "\(place).\(name)", writer)
      guard wasRequired.contains(name) != isRequired.contains(name) else { continue }
      if isRequired.contains(name) == (writer == .server) {
        additions.append("\(place).\(name)")
      } else {
        breaks.append(
          "\(place).\(name) is \(isRequired.contains(name) ? "required" : "optional") now")
      }
    }
    for name in newMembers.keys where oldMembers[name] == nil {
      if writer == .frontEnd, isRequired.contains(name) {
        breaks.append("\(place).\(name) is new and required")
      } else {
        additions.append("\(place).\(name)")
      }
    }
  }

  // MARK: References

  private static func reference(_ schema: JSON) -> String? {
    guard let text = schema["$ref"]?.stringValue, text.hasPrefix("#/$defs/") else { return nil }
    return String(text.dropFirst("#/$defs/".count))
  }

  private static func hasReference(_ schema: JSON) -> Bool {
    schema.compactText.contains("$ref")
  }

  private func resolve(_ schema: JSON, in document: JSON) -> JSON {
    Self.reference(schema).flatMap { Self.definitions(document)[$0] } ?? schema
  }

  private static func name(of schema: JSON) -> String {
    reference(schema) ?? String(schema.compactText.prefix(80))
  }
}
