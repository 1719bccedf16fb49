import JSONRPC

func read(_ text: String, limits: JSONLimits = .standard) -> Result<JSON, JSONError> {
  read(Array(text.utf8), limits: limits)
}

func read(_ bytes: [UInt8], limits: JSONLimits = .standard) -> Result<JSON, JSONError> {
  Result { () throws(JSONError) in try JSON(parsing: bytes, limits: limits) }
}

/// The message with which a text is refused; `nil` if it is accepted.
func refusal(_ text: String) -> String? {
  if case .failure(let error) = read(text) { error.description } else { nil }
}
