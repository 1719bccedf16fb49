import CMalloc
import System

package typealias FuzzedFunction = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ function: FuzzedFunction
) -> CInt

/// Calls `function` with one input after another, as the command line requests.
package func fuzz(_ function: FuzzedFunction) -> Never {
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  exit(runDriver(&count, &arguments, function))
}

/// Ends the run and reports the current input if a condition is false.
package func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if isTrue { return }
  let line = Array("BROKEN: \(message())\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  abort()
}

/// Random numbers that depend only on the input, so that failures are reproducible.
package struct InputRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ input: [UInt8]) {
    state = input.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns the bytes in pieces of random sizes, up to `sizeMax` bytes.
  package mutating func pieces(of bytes: [UInt8], sizeMax: Int) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...sizeMax, using: &self))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}

/// Returns an upper bound for the sum of all `Content-Length` values in these bytes; `nil` if the
/// bound exceeds `limit`.
///
/// Each value is a run of digits, so the sum of all runs of digits is such a bound.
package func announcedByteCountMax(in bytes: [UInt8], atMost limit: Int) -> Int? {
  var sum = 0
  var run = 0
  for byte in bytes + [0] {
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      run = min(run * 10 + Int(byte - UInt8(ascii: "0")), limit + 1)
    } else {
      sum += run
      run = 0
    }
    if sum > limit { return nil }
  }
  return sum
}

/// Whether the bytes contain the text.
package func contains(_ bytes: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool {
  bytes.indices.contains { bytes[$0] == text.first && bytes[$0...].starts(with: text) }
}

/// Whether the JSON contains an escaped U+0000: `\u0000`, but not an escaped backslash followed by
/// `u0000`.
package func containsEscapedNull(_ bytes: ArraySlice<UInt8>) -> Bool {
  let text = Array(#"\u0000"#.utf8)
  return bytes.indices.contains { index in
    guard bytes[index] == text[0], bytes[index...].starts(with: text) else { return false }
    let backslashCount = bytes[..<index].reversed().prefix { $0 == text[0] }.count
    return backslashCount.isMultiple(of: 2)
  }
}

/// The number of allocated bytes.
package func allocatedByteCount() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks + info.hblkhd)
}

/// The CPU time of this thread, in milliseconds.
package func threadMilliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
}
