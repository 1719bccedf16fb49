import FuzzDriver
import JSONRPC
import System

/// Invariants of the server for any input bytes.
@main enum FuzzMessages {
  private static let probe = #"{"jsonrpc":"2.0","id":"the probe","method":"workflow/rendering"}"#

  /// Whether each input runs through all checks: `true` if `FUZZ_ALL` is set.
  private static let isThorough = getenv("FUZZ_ALL") != nil

  nonisolated(unsafe) private static var readsRenderings = false

  static func main() {
    fuzz { FuzzMessages.handle(Array(UnsafeBufferPointer(start: $0, count: $1))) }
  }

  /// Runs one check, or sometimes all checks. The choice depends only on the input. If the input
  /// contains `initialize`, the check uses a new session; otherwise, it usually uses a session with
  /// a logged-in user.
  private static func handle(_ input: [UInt8]) -> CInt {
    var random = InputRandom(input)
    let choice = Int.random(in: 0..<16, using: &random)
    let beginsSession = contains(input[...], Array("initialize".utf8))
    if isThorough || choice == 0 {
      readsRenderings = true
      checkInOneRead(input)
      checkInPieces(input, &random)
      checkLoggedIn(input, &random)
      readsRenderings = false
    } else if beginsSession ? choice < 9 : choice < 3 {
      checkInOneRead(input)
    } else if beginsSession || choice < 4 {
      checkInPieces(input, &random)
    } else {
      checkLoggedIn(input, &random)
    }
    return 0
  }

  /// Checks the server with the input in one read, before any worker has run.
  private static func checkInOneRead(_ input: [UInt8]) {
    let loop = FuzzedLoop(readsRenderings: readsRenderings)
    loop.handle(input)
    checkContinues(loop, after: input)
    checkEnds(loop)
  }

  /// Checks the server with the input in pieces, between which workers run.
  private static func checkInPieces(_ input: [UInt8], _ random: inout InputRandom) {
    let loop = FuzzedLoop(readsRenderings: readsRenderings)
    for piece in random.pieces(of: input, sizeMax: 200) {
      loop.handle(piece)
      if Bool.random(using: &random) { _ = loop.runWorker() }
    }
    checkEnds(loop)
  }

  /// Checks the server with each line of the input as a frame, while the server shows a list.
  private static func checkLoggedIn(_ input: [UInt8], _ random: inout InputRandom) {
    let loop = FuzzedLoop(readsRenderings: readsRenderings)
    let frames = FrameWriter(framing: .headers)
    var start: [UInt8] = []
    for line in beginning { frames.append(Array(line.utf8), to: &start) }
    loop.handle(start)
    while loop.runWorker() {}
    for line in input.split(separator: UInt8(ascii: "\n")) {
      var bytes: [UInt8] = []
      frames.append(line, to: &bytes)
      loop.handle(bytes)
      if Bool.random(using: &random) { _ = loop.runWorker() }
    }
    if loop.isListening {
      var bytes: [UInt8] = []
      frames.append(Array(probe.utf8), to: &bytes)
      loop.handle(bytes)
      while loop.runWorker() {}
      check(loop.given.count(of: #""the probe""#) > 0, "the server is deaf after it")
    }
    checkEnds(loop)
  }

  private static let beginning = [
    #"{"jsonrpc":"2.0","id":-1,"method":"initialize","params":{"capabilities":{"render":{"patch":true}}}}"#,
    #"{"jsonrpc":"2.0","method":"initialized"}"#,
    #"{"jsonrpc":"2.0","id":-2,"method":"login","params":{"name":"ann"}}"#,
  ]

  /// Checks that a request after the input is answered. The input may have announced a body that is
  /// not complete, so the server first gets enough line ends to complete the body.
  private static func checkContinues(_ loop: FuzzedLoop, after input: [UInt8]) {
    guard let announced = announcedByteCountMax(in: input, atMost: 20_000) else { return }
    let padding = repeatElement(Array("\r\n".utf8), count: announced + 4).joined()
    loop.handle(Array(padding))
    guard loop.isListening else { return }
    var bytes: [UInt8] = []
    FrameWriter(framing: loop.framing ?? .headers).append(Array(probe.utf8), to: &bytes)
    loop.handle(bytes)
    while loop.runWorker() {}
    check(loop.given.count(of: #""the probe""#) > 0, "the server is deaf after it")
  }

  /// Checks that each request is answered once, and that the server exits.
  private static func checkEnds(_ loop: FuzzedLoop) {
    loop.end()
    check(
      loop.given.sorted == loop.expected.sorted,
      "answers \(loop.given.sorted) where \(loop.expected.sorted) are due")
    check(loop.exitCount == 1, "the server ends \(loop.exitCount) times")
  }
}
