/// One of the three standard descriptors of a program.
package enum StandardDescriptor: Int32, CaseIterable, Sendable {
  case input = 0
  case output = 1
  case errors = 2

  /// The usual name of the descriptor.
  package var name: String {
    switch self {
    case .input: "stdin"
    case .output: "stdout"
    case .errors: "stderr"
    }
  }

  /// Opens each closed standard descriptor on `/dev/null`, and returns the opened ones.
  ///
  /// Call this function before any file is opened. Otherwise, the next file, such as a database,
  /// would get the descriptor of standard output, and all printed text would be written to that
  /// file.
  package static func openMissing() -> [StandardDescriptor] {
    allCases.filter { standard in
      guard fcntl(standard.rawValue, F_GETFD) < 0, errno == EBADF else { return false }
      let null = open("/dev/null", standard == .input ? O_RDONLY : O_WRONLY)
      // All lower numbers are open now, so `open` returns this one.
      if null >= 0, null != standard.rawValue {
        dup2(null, standard.rawValue)
        close(null)
      }
      return true
    }
  }
}
