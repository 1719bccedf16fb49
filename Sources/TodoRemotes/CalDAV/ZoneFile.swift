import Synchronization
import System
import TodoModel

/// The UTC offsets of a time zone, from a file of the system (RFC 8536).
struct ZoneFile: Sendable {
  /// The changes of the UTC offset, in order of time. `start` is the time from which the offset
  /// applies, in seconds since 1970. `offset` is in seconds.
  private let transitions: [(start: Int64, offset: Int64)]
  private let firstOffset: Int64

  private static let folder = "/usr/share/zoneinfo/"
  private static let bytesMax = 64 << 10

  /// Reads the file of the time zone that a `TZID` names; `nil` if there is no such file. The
  /// `TZID` can begin with a prefix that another program has added, such as in
  /// `/example.org/Europe/Berlin`.
  init?(named zone: String) {
    let parts = zone.split(separator: "/")
    for count in [3, 2, 1] where parts.count >= count {
      let name = parts.suffix(count).joined(separator: "/")
      guard Self.isName(name), let bytes = Self.contents(of: Self.folder + name),
        let file = ZoneFile(bytes)
      else { continue }
      self = file
      return
    }
    return nil
  }

  /// Returns how far the time zone is ahead of UTC at a time, in milliseconds.
  func offset(at instant: Timestamp) -> Int64 {
    let seconds = instant.milliseconds / 1_000
    let last = transitions.last { $0.start <= seconds }
    return (last?.offset ?? firstOffset) * 1_000
  }

  private static func isName(_ name: String) -> Bool {
    !name.split(separator: "/").contains { $0.hasPrefix(".") }
      && name.utf8.allSatisfy { URLText.isPlain($0) || $0 == UInt8(ascii: "/") || $0 == 0x2B }
  }

  /// Parses the second part of a file, which contains 64-bit times.
  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes, at: 0) else { return nil }
    let second = first.end(timeBytes: 4)
    guard let header = Header(bytes, at: second) else { return nil }
    let (types, indices) = (
      header.start + header.timeCount * 9, header.start + header.timeCount * 8
    )
    guard header.typeCount > 0, types + header.typeCount * 6 <= bytes.count else { return nil }
    func integer(_ position: Int, _ count: Int) -> UInt64 {
      bytes[position..<(position + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    func offset(_ type: Int) -> Int64? {
      guard type < header.typeCount else { return nil }
      return Int64(Int32(truncatingIfNeeded: integer(types + type * 6, 4)))
    }
    transitions = (0..<header.timeCount).compactMap { index in
      offset(Int(bytes[indices + index])).map { offset in
        (Int64(bitPattern: integer(header.start + index * 8, 8)), offset)
      }
    }
    firstOffset = offset(0) ?? 0
  }

  private struct Header {
    let start: Int
    let timeCount: Int
    let typeCount: Int
    private let leapCount: Int
    /// The size of the zone abbreviations and the flags, in bytes.
    private let otherBytes: Int

    init?(_ bytes: [UInt8], at position: Int) {
      guard position + 44 <= bytes.count, bytes[position...].starts(with: "TZif".utf8) else {
        return nil
      }
      let counts = (0..<6).map { index in
        let start = position + 20 + index * 4
        return bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      }
      guard counts.allSatisfy({ $0 <= ZoneFile.bytesMax }) else { return nil }
      start = position + 44
      (timeCount, typeCount) = (counts[3], counts[4])
      (leapCount, otherBytes) = (counts[2], counts[0] + counts[1] + counts[5])
    }

    func end(timeBytes: Int) -> Int {
      start + timeCount * (timeBytes + 1) + typeCount * 6 + otherBytes
        + leapCount * (timeBytes + 4)
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

/// A cache of time zones. It also contains the names for which there is no time zone.
package final class ZoneFiles: Sendable {
  /// The maximum number of cached names. Without a limit, a source could use up the memory.
  private static let countMax = 1_000

  private let files = Mutex<[String: ZoneFile?]>([:])

  package init() {}

  /// Returns how far a time zone is ahead of UTC at a time, in milliseconds; `nil` if the zone is
  /// not known.
  package func offset(of zone: String, at instant: Timestamp) -> Int64? {
    files.withLock { files in
      if let known = files[zone] { return known?.offset(at: instant) }
      let file = ZoneFile(named: zone)
      if files.count < Self.countMax { files[zone] = .some(file) }
      return file?.offset(at: instant)
    }
  }
}
