extension ScannedFrame {
  /// Returns the frame, with errors in place of two kinds of messages: those with a progress token
  /// of more than `bytesMax` bytes, and cancellations with a request id of more than that size.
  consuming func refusingLongTokens(
    in bytes: UnsafeBufferPointer<UInt8>, _ rules: ConnectionRules, bytesMax: Int
  ) -> ScannedFrame {
    // A short message, as most are, cannot contain a long token.
    guard bytes.count > bytesMax, let start = bytes.baseAddress else { return self }
    func checked(_ message: ScannedMessage) -> ScannedMessage {
      guard let path = message.longToken(in: start, rules, bytesMax: bytesMax) else {
        return message
      }
      let member = "params." + path.joined(separator: ".")
      return .invalid(
        id: nil, .invalidRequest("\(member): over the limit of \(bytesMax) bytes"))
    }
    return switch consume self {
    case .single(let message): .single(checked(message))
    case .batch(let messages): .batch(messages.map(checked))
    }
  }
}

extension ScannedMessage {
  /// Returns the path of a progress token, or of the id in a cancellation, that has more than
  /// `bytesMax` bytes; `nil` if there is none.
  fileprivate func longToken(
    in bytes: UnsafePointer<UInt8>, _ rules: ConnectionRules, bytesMax: Int
  ) -> [String]? {
    guard case .call(let id, let method, let params?) = self, params.count > bytesMax else {
      return nil
    }
    let isCancel = id == nil && method == rules.cancelMethod
    let paths = isCancel ? [[rules.cancelledIDMember]] : rules.tokenPaths
    return paths.first {
      JSONWalk.hasString(at: $0[...], longerThan: bytesMax, in: bytes, params)
    }
  }
}

extension JSONWalk {
  /// Whether the member at a path, such as `["_meta", "progressToken"]`, is a string of more than
  /// `bytesMax` bytes of UTF-8.
  fileprivate static func hasString(
    at path: ArraySlice<String>, longerThan bytesMax: Int, in bytes: UnsafePointer<UInt8>,
    _ range: Range<Int>
  ) -> Bool {
    guard let name = path.first, !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "{")
    else { return false }
    let start = bytes + range.lowerBound
    var isLonger = false
    var walk = JSONWalk(start, count: range.count)
    walk.visitMembers { key, value in
      guard key.equals(name, in: start) else { return }
      isLonger =
        path.count == 1
        ? ScannedValue(start, value).isLonger(than: bytesMax)
        : hasString(at: path.dropFirst(), longerThan: bytesMax, in: start, value)
    }
    return isLonger
  }
}
