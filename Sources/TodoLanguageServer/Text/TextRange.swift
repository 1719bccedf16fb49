import JSONRPC

/// A range of LSP positions.
struct TextRange: Sendable, Equatable {
  var start: TextPosition
  var end: TextPosition

  init(_ range: Range<Int>, in text: BufferText, _ encoding: PositionEncoding) {
    start = text.position(of: range.lowerBound, encoding)
    end = text.position(of: range.upperBound, encoding)
  }

  var json: JSON { ["start": start.json, "end": end.json] }

  func edit(_ text: String) -> JSON { ["range": json, "newText": .string(text)] }
}

extension TextPosition {
  init(_ params: Params) throws(RPCError) {
    self.init(line: try params.integer("line"), character: try params.integer("character"))
  }

  var json: JSON { ["line": .integer(Int64(line)), "character": .integer(Int64(character))] }
}
