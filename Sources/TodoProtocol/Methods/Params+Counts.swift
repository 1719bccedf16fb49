import JSONRPC

extension Params {
  /// A number of things: an integer that is not negative.
  func optionalCount(_ key: String) throws(RPCError) -> Int? {
    guard let number = try optionalInteger(key) else { return nil }
    return try checked(number, key)
  }

  /// A number of things: an integer that is not negative.
  func count(_ key: String) throws(RPCError) -> Int { try checked(try integer(key), key) }

  private func checked(_ number: Int, _ key: String) throws(RPCError) -> Int {
    guard number >= 0 else {
      throw invalid(key, "expected an integer of at least 0, got \(number)")
    }
    return number
  }
}
