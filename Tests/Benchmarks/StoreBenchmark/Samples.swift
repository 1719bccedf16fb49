import System

/// The durations of repeated runs.
struct Samples {
  private var wall: [Double] = []
  private var processor: [Double] = []

  /// Runs a closure, records its duration in milliseconds, and returns its result.
  mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
    let (wallBefore, processorBefore) = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID))
    let value = try body()
    wall.append(clock(CLOCK_MONOTONIC) - wallBefore)
    processor.append(clock(CLOCK_PROCESS_CPUTIME_ID) - processorBefore)
    return value
  }

  /// The duration of the last run.
  var last: Time { Time(wall: wall.last ?? 0, processor: processor.last ?? 0) }

  /// Returns the time that the given fraction of the samples does not exceed.
  func quantile(_ fraction: Double) -> Time {
    Time(
      wall: Self.quantile(fraction, of: wall), processor: Self.quantile(fraction, of: processor))
  }

  private static func quantile(_ fraction: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[Int((Double(sorted.count - 1) * fraction).rounded(.up))]
  }

  private func clock(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }
}

/// A duration: the wall-clock time and the CPU time, in milliseconds.
struct Time: CustomStringConvertible {
  var wall: Double
  var processor: Double

  var description: String { "\(short(wall)) ms (\(short(processor)))" }

  /// Returns the ratio of this time to another one, as text.
  func ratio(to other: Time) -> String {
    "\(short(wall / other.wall)) x (\(short(processor / other.processor)))"
  }
}

func show(_ name: String, _ figures: (String, String)...) {
  let text = figures.map { "\($0) \($1)" }.joined(separator: "   ")
  print(name + String(repeating: " ", count: max(1, 34 - name.count)) + text)
}

/// Returns a number as text, rounded to about three significant digits.
func short(_ number: Double) -> String {
  guard number.isFinite else { return "-" }
  let digits = number < 10 ? 1_000.0 : number < 100 ? 10.0 : 1.0
  let rounded = (number * digits).rounded() / digits
  return digits == 1 ? String(Int(rounded)) : String(rounded)
}
