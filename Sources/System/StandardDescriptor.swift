/// One of the three descriptors that every program starts with.
package enum StandardDescriptor: Int32, CaseIterable, Sendable {
  case input = 0
  case output = 1
  case errors = 2

  /// As people call it.
  package var name: String {
    switch self {
    case .input: "stdin"
    case .output: "stdout"
    case .errors: "stderr"
    }
  }

  /// Opens those that are closed on `/dev/null`, and says which.
  ///
  /// To be called before anything else is opened: the next file, a store perhaps, would get the
  /// free number, and whatever is read or printed would go there.
  package static func openMissing() -> [StandardDescriptor] {
    allCases.filter { standard in
      guard fcntl(standard.rawValue, F_GETFD) < 0, errno == EBADF else { return false }
      let null = open("/dev/null", standard == .input ? O_RDONLY : O_WRONLY)
      // The lowest free number is this one, as those before it are open by now.
      if null >= 0, null != standard.rawValue {
        dup2(null, standard.rawValue)
        close(null)
      }
      return true
    }
  }
}
