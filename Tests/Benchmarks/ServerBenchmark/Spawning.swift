import System

/// Starts a program with these words as its command line. Its environment consists of `variables`
/// and of `PATH`, `HOME` and `LD_LIBRARY_PATH` of this process.
func spawn(
  _ words: [String], variables: [String: String] = [:],
  actions: UnsafePointer<posix_spawn_file_actions_t>? = nil
) throws(BenchmarkError) -> pid_t {
  var variables = variables
  for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
    variables[name] = getenv(name).map { String(cString: $0) }
  }
  let arguments = words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
  let pairs = variables.map { strdup("\($0)=\($1)") as UnsafeMutablePointer<CChar>? } + [nil]
  defer { for pointer in arguments + pairs { free(pointer) } }
  var processID: pid_t = 0
  let result = posix_spawnp(&processID, words[0], actions, nil, arguments, pairs)
  guard result == 0 else {
    throw BenchmarkError("\(words[0]) cannot be started: \(String(cString: strerror(result)))")
  }
  return processID
}

/// Runs a program to its end, with a file as its input.
///
/// - Throws: `BenchmarkError` if the program fails.
func runToEnd(_ words: [String], input: String = "/dev/null") throws(BenchmarkError) {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
  let processID = try spawn(words, actions: &actions)
  var status: Int32 = -1
  guard waitpid(processID, &status, 0) == processID, status == 0 else {
    throw BenchmarkError("\(words.joined(separator: " ")) has failed")
  }
}
