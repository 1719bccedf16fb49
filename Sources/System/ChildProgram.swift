/// A program to run in a child process, with a short input.
package struct ChildProgram {
  /// The name of the program, which is searched on the `PATH`, and its arguments. They must not
  /// contain a secret, because all users of the machine can read them.
  package let words: [String]

  package init(words: [String]) { self.words = words }

  package enum Outcome {
    /// The program has ended. `status` is as `waitpid` reports it.
    case ended(status: CInt, output: [UInt8], errors: [UInt8])
    case missing
    case failed
    /// The program was killed, because the timeout has expired or an output was too large.
    case tookTooLong
  }

  /// The maximum size of the input, in bytes. Every pipe has at least this capacity, so the whole
  /// input can be written before the program starts.
  package static let inputBytesMax = 4_096
  private static let outputBytesMax = 1 << 16

  /// Runs the program, and waits until it has closed its outputs and ended. After the timeout, or
  /// if an output is larger than `outputBytesMax`, kills the program and its process group.
  ///
  /// - Parameter input: The input, with at most `inputBytesMax` bytes.
  package func run(input: [UInt8], withinMilliseconds: CInt) -> Outcome {
    guard input.count <= Self.inputBytesMax, words.allSatisfy({ !$0.utf8.contains(0) }) else {
      return .failed
    }
    guard var toChild = Pipe(), var output = Pipe(), var errors = Pipe() else { return .failed }
    guard input.isEmpty || write(toChild.writer, input, input.count) == input.count else {
      return .failed
    }
    toChild.closeWriter()
    var process = pid_t()
    let code = spawn(&process, toChild.reader, output.writer, errors.writer)
    guard code == 0 else { return code == ENOENT ? .missing : .failed }
    output.closeWriter()
    errors.closeWriter()
    var collected = [[UInt8](), [UInt8]()]
    let isDone = Self.collect(
      [output.reader, errors.reader], &collected, withinMilliseconds: withinMilliseconds)
    // Other processes in the group could keep the pipes open, so all of them are killed.
    if !isDone { kill(-process, SIGKILL) }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard isDone else { return .tookTooLong }
    return .ended(status: status, output: collected[0], errors: collected[1])
  }

  /// Reads both outputs to their ends.
  ///
  /// - Returns: `false` if the timeout expires, or if an output is larger than `outputBytesMax`.
  private static func collect(
    _ descriptors: [CInt], _ collected: inout [[UInt8]], withinMilliseconds: CInt
  ) -> Bool {
    let end = ContinuousClock.now + .milliseconds(Int(withinMilliseconds))
    var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var piece = [UInt8](repeating: 0, count: inputBytesMax)
    defer { piece.withUnsafeMutableBytes(wipe) }
    while polls.contains(where: { $0.fd >= 0 }) {
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      guard left > 0 else { return false }
      guard poll(&polls, nfds_t(polls.count), CInt(left) + 1) >= 0 || errno == EINTR else {
        return false
      }
      for index in polls.indices where polls[index].revents != 0 {
        let count = read(polls[index].fd, &piece, piece.count)
        if count > 0 { collected[index] += piece[..<count] } else { polls[index].fd = -1 }
        guard collected[index].count <= outputBytesMax else { return false }
      }
    }
    return true
  }

  private func spawn(
    _ process: inout pid_t, _ input: CInt, _ output: CInt, _ errors: CInt
  ) -> CInt {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    // Without this, the child process would inherit the signal mask of the calling thread, which
    // may block all signals.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    return posix_spawnp(&process, words[0], &actions, &attributes, strings, environ)
  }
}
