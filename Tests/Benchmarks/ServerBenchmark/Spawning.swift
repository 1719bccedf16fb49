import System

/// Starts a program with these words as its command line, and with little of our environment.
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
