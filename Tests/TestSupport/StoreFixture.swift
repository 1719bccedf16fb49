import System

/// A store created by a program with an older schema, such as `Fixtures/stores/schema-9.sqlite`.
package struct StoreFixture: Sendable {
  package let version: Int
  /// The suffix of the file's name, for the second fixture of a version; usually empty.
  private let kind: String

  package init(version: Int, kind: String = "") { (self.version, self.kind) = (version, kind) }

  package var path: String {
    "\(ProjectFolder().path)/Fixtures/stores/schema-\(version)\(kind).sqlite"
  }

  /// Schema versions that were never used by a store.
  package static let unusedVersions = [13, 14, 16, 18, 20]

  /// The versions that have fixtures, sorted.
  package static var versions: [Int] {
    FileTree.names(in: "\(ProjectFolder().path)/Fixtures/stores").compactMap { name in
      guard name.hasPrefix("schema-"), name.hasSuffix(".sqlite") else { return nil }
      return Int(name.dropFirst("schema-".count).dropLast(".sqlite".count))
    }.sorted()
  }

  /// The version of this program's schema.
  package static let currentVersion = 24

  /// Copies the store to a path with mode 0600.
  ///
  /// - Returns: `false` if there is no such fixture or the copy cannot be written.
  package func copy(to path: String) -> Bool {
    guard let bytes = RecordedResponse.bytes(of: self.path), let file = fopen(path, "wb") else {
      return false
    }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    return fclose(file) == 0 && isWritten && chmod(path, 0o600) == 0
  }
}
