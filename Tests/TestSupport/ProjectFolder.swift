import System

/// The project's folder, derived from the path of a source file with links resolved.
package struct ProjectFolder: Sendable {
  package let path: String

  /// Finds the project's folder.
  ///
  /// - Parameter file: a source file three levels below the project's folder, such as the caller's
  ///   own.
  package init(file: String = #filePath) {
    var real = file
    if let resolved = realpath(file, nil) {
      real = String(cString: resolved)
      free(resolved)
    }
    path = "/" + real.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  /// Returns a recorded response in `Fixtures/http`.
  package func answer(_ name: String) -> RecordedResponse? {
    RecordedResponse(file: "\(path)/Fixtures/http/\(name)")
  }

  /// Returns a recorded response in the shared data beside the project; `nil` if it does not exist.
  package func sharedAnswer(_ name: String) -> RecordedResponse? {
    RecordedResponse(file: "\(path)/../shared/github-data/\(name)")
  }
}
