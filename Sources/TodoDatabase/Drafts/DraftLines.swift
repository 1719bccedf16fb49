import TodoModel

/// The format of a draft file: a header, and a line for each record.
///
///     todo-server drafts 1
///     83 5f0c2a9be1d07f34 {"base":"ann/local/t1/7","typedAt":…,"title":…,"edit":{…}}
///
/// A line consists of the byte count of the JSON text, the checksum of the text, and the text, so
/// that a damaged line is detected and the others can be read.
enum DraftLines {
  static let header = Array("todo-server drafts 1\n".utf8)

  static func line(of record: DraftRecord) -> [UInt8] {
    let text = Array(record.json.utf8)
    return Array("\(text.count) \(checksum(text)) ".utf8) + text + [newline]
  }

  /// Returns the newest draft of each todo in a draft file; `nil` for any other file.
  static func drafts(in bytes: [UInt8]) -> [DraftRecord]? {
    // A process may have ended before it had written the complete header.
    guard bytes.count >= header.count else { return header.starts(with: bytes) ? [] : nil }
    guard bytes.starts(with: header) else { return nil }
    var drafts: [DraftRecord] = []
    var rest = bytes[header.count...]
    while !rest.isEmpty {
      guard let (record, end) = record(at: rest) else {
        guard let lineEnd = rest.firstIndex(of: newline) else { break }
        rest = rest[(lineEnd + 1)...]
        continue
      }
      drafts.removeAll { $0.concernsSameTodo(as: record) }
      if record.text != nil { drafts.append(record) }
      // The byte after the text is the line end, unless it is damaged.
      rest = rest[end...].dropFirst()
    }
    return drafts
  }

  /// Parses the record at the start of `bytes`. Returns the record and the index of the byte after
  /// it; `nil` if there is no valid record.
  private static func record(
    at bytes: ArraySlice<UInt8>
  ) -> (record: DraftRecord, end: Int)? {
    let parts = bytes.prefix(prefixBytesMax).split(
      separator: space, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let count = Int(String(decoding: parts[0], as: UTF8.self)),
      count >= 0, count <= bytes.endIndex - parts[2].startIndex
    else { return nil }
    let text = bytes[parts[2].startIndex..<parts[2].startIndex + count]
    guard parts[1].elementsEqual(checksum(text).utf8), let record = DraftRecord(json: text) else {
      return nil
    }
    return (record, text.endIndex)
  }

  /// Returns the 64-bit FNV-1a hash as 16 hexadecimal digits.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The maximum length of the part of a line before the JSON text, in bytes: the byte count, the
  /// checksum, and a space after each.
  private static let prefixBytesMax = 40
  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
}
