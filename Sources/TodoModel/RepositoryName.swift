/// The full name of a GitHub repository, `OWNER/REPO`.
package struct RepositoryName: Sendable, Hashable, CustomStringConvertible {
  package let owner: String
  package let name: String

  /// The maximum length of the owner, and of the repository's own name, in bytes.
  package static let partBytesMax = 100

  /// Parses `OWNER/REPO`; `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ Self.isPart($0.utf8) }) else { return nil }
    owner = String(parts[0])
    name = String(parts[1])
  }

  private init(owner: String, name: String) {
    self.owner = owner
    self.name = name
  }

  package var description: String { "\(owner)/\(name)" }

  /// The name in lower case, which is the same for all spellings of a repository's name.
  package var lowercased: RepositoryName {
    RepositoryName(owner: owner.lowercased(), name: name.lowercased())
  }

  private static func isPart(_ bytes: some Collection<UInt8>) -> Bool {
    (1...partBytesMax).contains(bytes.count) && !bytes.elementsEqual(".".utf8)
      && !bytes.elementsEqual("..".utf8)
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
