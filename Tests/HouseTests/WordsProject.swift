import System
import TestSupport

/// A small project with a copy of `.ci/words`, or the real project.
struct WordsProject {
  struct Result {
    var exitCode: CInt
    var lines: [String]

    /// The reported lines without the suggested replacements: `path:line: rule: found`.
    var hits: [String] {
      lines.map { line in line.firstRange(of: " -> ").map { String(line[..<$0.lowerBound]) } ?? line
      }
    }
  }

  struct Failure: Error {
    var reason: String
  }

  let path: String
  /// The temporary folder of the small project, which is removed at the end; `nil` for the real
  /// project.
  private let folder: TemporaryFolder?

  /// The project that this test belongs to.
  static let real = WordsProject(path: ProjectFolder().path, folder: nil)

  /// Creates a small project that has only the checker and its rules.
  static func empty() throws -> WordsProject {
    let folder = TemporaryFolder()
    let project = WordsProject(path: folder.path, folder: folder)
    for name in [".ci/words", ".ci/words.rules"] {
      guard let text = FileTree.text(of: "\(real.path)/\(name)") else {
        throw Failure(reason: "\(name) is missing")
      }
      try project.write(text, to: name)
    }
    return project
  }

  /// Writes a sample to a file, without its `|` characters. In a sample, each word that has a rule
  /// contains a `|`, so that `.ci/words` does not report the source of the test.
  func add(_ sample: String, to name: String) throws {
    try write(sample.replacing("|", with: ""), to: name)
  }

  private func write(_ text: String, to name: String) throws {
    var parent = path
    for part in name.split(separator: "/").dropLast() {
      parent += "/\(part)"
      mkdir(parent, 0o700)
    }
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Failure(reason: "\(name) cannot be opened") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        System.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw Failure(reason: "\(name) cannot be written") }
      written += count
    }
  }

  /// Runs `.ci/words`.
  func words(_ arguments: String...) throws -> Result {
    try run(["python3", "\(path)/.ci/words"] + arguments)
  }

  /// Runs git without the user's settings.
  func git(_ arguments: String...) throws {
    let result = try run(
      ["env", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "git", "-C", path]
        + ["-c", "user.name=ann", "-c", "user.email=ann@example.org"] + arguments)
    guard result.exitCode == 0 else {
      throw Failure(reason: result.lines.joined(separator: "\n"))
    }
  }

  private func run(_ words: [String]) throws -> Result {
    let outcome = ChildProgram(words: words).run(input: [], withinMilliseconds: 50_000)
    guard case .ended(let status, let output, let errors) = outcome else {
      throw Failure(reason: "\(words.joined(separator: " ")): \(outcome)")
    }
    let text = String(decoding: output + errors, as: UTF8.self)
    return Result(
      exitCode: (status >> 8) & 0xff, lines: text.split(separator: "\n").map(String.init))
  }
}
