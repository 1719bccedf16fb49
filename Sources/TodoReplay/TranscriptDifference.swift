/// The first difference between a replay and a transcript, with its context.
///
/// ```
///   line 12
///     --> {"id":2,"method":"login","params":{"name":"ann"}}
///     <-- {"id":2,"result":{"name":"ann","revision":2}}
///   - == Loading
///   + == Todos of ann
///     == Nothing to do.
///   2 more inputs are answered otherwise
/// ```
struct TranscriptDifference {
  /// The maximum number of equal lines that are shown in each part of the context: the lines up to
  /// the input, the equal output before the difference, and the lines after the difference. The
  /// input is always shown completely.
  private static let contextLineCount = 4
  /// The maximum number of differing lines that are shown from the transcript. The same maximum
  /// applies to the differing lines from the replay.
  private static let sideLineCountMax = 40

  let lines: [String]

  /// Compares the outputs with a transcript; `nil` if there is no difference.
  init?(_ transcript: Transcript, _ outputs: [[String]]) {
    let pairs = Array(zip(transcript.exchanges, outputs))
    let wrong = pairs.indices.filter { !OutputLines.match(pairs[$0].1, pairs[$0].0.output) }
    guard let first = wrong.first else { return nil }
    let (exchange, actual) = pairs[first]
    let before = pairs[..<first].flatMap { Self.lines(of: $0.0.input) + $0.0.output }
    let after = pairs[(first + 1)...].flatMap { Self.lines(of: $0.0.input) + $0.0.output }
    let (expected, said) = (OutputLines.groups(exchange.output), OutputLines.groups(actual))
    let sameStart = zip(expected, said).prefix { OutputLines.match([$1], [$0]) }.count
    let sameEnd = zip(
      expected.dropFirst(sameStart).reversed(), said.dropFirst(sameStart).reversed()
    )
    .prefix { OutputLines.match([$1], [$0]) }.count
    let start = Self.split(expected.prefix(sameStart))
    let end = Self.split(expected.suffix(sameEnd))
    let input = Self.lines(of: exchange.input)
    let missing = Self.split(expected.dropFirst(sameStart).dropLast(sameEnd))
    let extra = Self.split(said.dropFirst(sameStart).dropLast(sameEnd))
    var lines = ["  line \(exchange.input.lineNumber)"]
    lines += (before + input).suffix(max(Self.contextLineCount, input.count)).map { "    \($0)" }
    if start.count > Self.contextLineCount { lines.append("    …") }
    lines += start.suffix(Self.contextLineCount).map { "    \($0)" }
    lines += Self.cut(missing, "  - ") + Self.cut(extra, "  + ")
    lines += (end + after).prefix(Self.contextLineCount).map { "    \($0)" }
    if wrong.count > 1 {
      let others = wrong.count == 2 ? "1 more input is" : "\(wrong.count - 1) more inputs are"
      lines.append("  \(others) answered otherwise")
    }
    self.lines = lines
  }

  private static func lines(of input: Transcript.Input) -> [String] {
    var lines = input.lines
    lines[0] = "\(input.sender.rawValue) \(lines[0])"
    return lines
  }

  private static func split(_ groups: some Sequence<String>) -> [String] {
    groups.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  private static func cut(_ lines: [String], _ mark: String) -> [String] {
    let rest = lines.count - sideLineCountMax
    let note = rest > 0 ? ["\(mark)… (\(rest) more lines)"] : []
    return lines.prefix(sideLineCountMax).map { mark + $0 } + note
  }
}
