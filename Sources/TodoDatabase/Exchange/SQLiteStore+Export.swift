import SQLiteDatabase
import TodoModel

/// Writing out what a store keeps.
extension SQLiteStore: TodoExchange {
  /// Writes lists as lines of JSON, from one moment and a few at a time, however many there are.
  /// History and accounts stay behind. No line has anything that a terminal would obey.
  ///
  /// - Parameters:
  ///   - profile: Whose lists; nil: everybody's.
  ///   - source: Of which source (`""` for the local one); nil: of all.
  ///   - write: Takes the next lines.
  ///
  /// Throws `notFound` where nothing is kept under that name, `storage`, and what `write` throws.
  package func exportLines(
    profile: String?, source: String?, to write: ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError) {
    try database.withWriter { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let exchange = connection.tables.exchange
        let lists = try exchange.lists(profile: profile, source: source)
        if let profile, lists.isEmpty {
          throw TodoError(.notFound, "There is no list of \"\(profile)\". Check --name, --source.")
        }
        var bytes: [UInt8] = []
        func add(_ line: ExchangeLine) throws(TodoError) {
          line.write(to: &bytes)
          guard bytes.count >= Self.exportBytesMax else { return }
          try write(PrintableJSON.escaping(bytes))
          bytes.removeAll(keepingCapacity: true)
        }
        try add(.header)
        for (number, list) in lists {
          try add(.list(list))
          try exchange.eachTodo(in: number) { stored throws(TodoError) in
            try add(.todo(stored))
          }
        }
        try write(PrintableJSON.escaping(bytes))
      }
    }
  }

  /// How much is collected before it is written.
  private static var exportBytesMax: Int { 1 << 16 }
}
