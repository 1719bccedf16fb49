import JSONRPC
import TestSupport
import Testing

@testable import TodoProtocol

/// The wire format changes only by additions.
@Suite("The schema") struct SchemaTests {
  private static let folder = ProjectFolder().path + "/Fixtures/schema"

  /// Returns the released schemas, the newest last: `1.0.json` and so on.
  private static func released() throws -> [JSON] {
    try FileTree.files(below: folder, ending: ".json").map { file in
      let text = try #require(FileTree.text(of: file))
      let schema = try JSON(parsing: Array(text.utf8))
      #expect(file.hasSuffix("/\(schema["version"]?.stringValue ?? "").json"))
      return schema
    }.sorted { Self.version($0).lexicographicallyPrecedes(Self.version($1)) }
  }

  private static func version(_ schema: JSON) -> [Int] {
    (schema["version"]?.stringValue ?? "").split(separator: ".").compactMap { Int($0) }
  }

  @Test("The released schemas are still valid")
  func additive() throws {
    let released = try Self.released()
    #expect(!released.isEmpty)
    for old in released {
      #expect(SchemaComparison(old: old, new: ProtocolSchema.json).breaks == [])
    }
  }

  @Test("A schema that has changed since the last release has a higher version 1.x")
  func version() throws {
    let released = try #require(try Self.released().last)
    let (before, now) = (Self.version(released), Self.version(ProtocolSchema.json))
    #expect(now.first == InitializeResult.protocolVersion)
    #expect(now.count == 2)
    if released == ProtocolSchema.json {
      #expect(now == before)
    } else {
      #expect(before.lexicographicallyPrecedes(now), "raise ProtocolSchema.version")
    }
  }

  @Test("Each reference has a definition, and each definition is used")
  func references() {
    var named: Set<String> = ["fromServer", "fromFrontEnd"]
    func collect(_ json: JSON) {
      switch json {
      case .object(let object):
        for (key, value) in object.members {
          if key == "$ref", let text = value.stringValue {
            named.insert(text.replacing("#/$defs/", with: ""))
          }
          collect(value)
        }
      case .array(let elements): elements.forEach(collect)
      case .null, .bool, .integer, .double, .string: break
      }
    }
    collect(ProtocolSchema.json)
    let defined = Set(ProtocolSchema.json["$defs"]?.objectValue?.keys.map { $0 } ?? [])
    #expect(named.subtracting(defined) == [])
    #expect(defined.subtracting(named) == [])
  }
}
