import TestSupport
import Testing

/// Tests that each public item, each case of a public enum and each requirement of a public
/// protocol has a comment.
@Suite struct PublicCommentTests {
  static let libraries = ["JSONRPC", "WorkflowRuntime", "WorkflowTesting"].flatMap {
    FileTree.files(below: ProjectFolder().path + "/Sources/" + $0, ending: ".swift")
  }

  @Test(arguments: libraries)
  func eachPublicItemHasAComment(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    let found = PublicItems(of: text).withoutComment
    #expect(found.isEmpty, "add a summary above: \(found.joined(separator: "\n"))")
  }

  @Test func itemsWithoutACommentAreFound() {
    let text = """
      /// A choice.
      public enum Choice {
        case bare
        /// Explained.
        case explained

        public static let standard = bare

        var isBare: Bool {
          switch self {
          case bare: true
          }
        }
      }

      public protocol Bare {
        associatedtype Element
        /// Explained.
        @discardableResult
        func explained() -> Element
      }

      // An ordinary comment does not count.
      @inlinable
      public func plain() {}

      enum Inner {
        case hidden
      }
      """
    #expect(
      PublicItems(of: text).withoutComment == [
        "3: case bare", "7: public static let standard = bare", "16: public protocol Bare {",
        "17: associatedtype Element", "25: public func plain() {}",
      ])
  }
}

/// The public declarations in a file, recognized by swift-format's indentation.
private struct PublicItems {
  /// The declarations without a comment, each with its line number.
  private(set) var withoutComment: [String] = []

  private static let requirements = [
    "var ", "func ", "init(", "associatedtype ", "static ", "mutating ", "subscript",
  ]

  /// The innermost public enum or protocol, whose members are public without the keyword `public`:
  /// the first words of such members, their indentation, and the line that ends the type.
  private var members: (beginnings: [String], indentation: String, end: String)?

  init(of text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (position, line) in lines.enumerated() {
      if let members, line == members.end { self.members = nil }
      let indentation = String(line.prefix { $0 == " " })
      let words = Self.words(of: line.dropFirst(indentation.count))
      guard isSeen(words, indentation) else { continue }
      if !Self.hasComment(above: position, in: lines) {
        withoutComment.append("\(position + 1): \(line.dropFirst(indentation.count))")
      }
      guard line.hasSuffix("{") else { continue }
      if words.hasPrefix("public enum ") || words.hasPrefix("public indirect enum ") {
        members = (["case "], indentation + "  ", indentation + "}")
      } else if words.hasPrefix("public protocol ") {
        members = (Self.requirements, indentation + "  ", indentation + "}")
      }
    }
  }

  /// Returns a declaration without its attributes.
  private static func words(of line: Substring) -> Substring {
    var rest = line
    while rest.first == "@", let space = rest.firstIndex(of: " ") {
      rest = rest[space...].drop { $0 == " " }
    }
    return rest
  }

  private func isSeen(_ words: Substring, _ indentation: String) -> Bool {
    if words.hasPrefix("public ") { return true }
    guard let members, members.indentation == indentation else { return false }
    return members.beginnings.contains { words.hasPrefix($0) }
  }

  private static func hasComment(above position: Int, in lines: [String]) -> Bool {
    lines[..<position].last { !$0.drop { $0 == " " }.hasPrefix("@") }
      .map { $0.drop { $0 == " " }.hasPrefix("///") } ?? false
  }
}
