import System

/// Where the project is, found from a source file, through links.
package struct ProjectFolder: Sendable {
  package let path: String

  /// - Parameter file: A file three folders below the project, such as the caller's own.
  package init(file: String = #filePath) {
    var real = file
    if let resolved = realpath(file, nil) {
      real = String(cString: resolved)
      free(resolved)
    }
    path = "/" + real.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  /// A recorded answer under `Fixtures/http`.
  package func answer(_ name: String) -> RecordedAnswer? {
    RecordedAnswer(file: "\(path)/Fixtures/http/\(name)")
  }

  /// A recorded answer of the data that lies beside the project; nil where that is not there.
  package func sharedAnswer(_ name: String) -> RecordedAnswer? {
    RecordedAnswer(file: "\(path)/../shared/github-data/\(name)")
  }
}
