import CSQLite
import System
import TodoModel

/// A tokenizer that splits text into words exactly as a search index with the same options does.
package final class FTS5Tokenizer {
  private let tokenizer: fts5_tokenizer
  private let instance: OpaquePointer
  private let failure: StorageFailure

  /// Creates the tokenizer that an index uses.
  ///
  /// - Parameter options: The name of the tokenizer and its options, as they follow `tokenize =` in
  ///   the definition of the index.
  package init(_ options: [String], of connection: Connection) throws(TodoError) {
    failure = connection.failure
    guard let api = try Self.api(of: connection), let name = options.first else {
      throw failure.error(SQLITE_ERROR)
    }
    var (context, found) = (UnsafeMutableRawPointer?.none, fts5_tokenizer())
    let code = api.pointee.xFindTokenizer?(api, name, &context, &found) ?? SQLITE_ERROR
    guard code == SQLITE_OK else { throw failure.error(code) }
    instance = try Self.instance(of: found, options.dropFirst(), context, failure)
    tokenizer = found
  }

  deinit { tokenizer.xDelete?(instance) }

  /// Returns the words of a text in order, in lower case and without diacritics.
  package func words(of text: String) throws(TodoError) -> [String] {
    var text = text
    var words: [String] = []
    let code = withUnsafeMutablePointer(to: &words) { words in
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          tokenizer.xTokenize?(
            instance, words, FTS5_TOKENIZE_QUERY, characters.baseAddress, CInt(characters.count),
            appendWord)
        }
      }
    }
    guard code == SQLITE_OK else { throw failure.error(code ?? SQLITE_ERROR) }
    // A combining mark on its own yields an empty word.
    return words.filter { !$0.isEmpty }
  }

  private static func instance(
    of tokenizer: fts5_tokenizer, _ options: ArraySlice<String>,
    _ context: UnsafeMutableRawPointer?, _ failure: StorageFailure
  ) throws(TodoError) -> OpaquePointer {
    let copies = options.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var arguments = copies.map { UnsafePointer<CChar>($0) }
    var made: OpaquePointer?
    let code = tokenizer.xCreate?(context, &arguments, CInt(arguments.count), &made)
    guard code == SQLITE_OK, let made else { throw failure.error(code ?? SQLITE_ERROR) }
    return made
  }

  private static func api(
    of connection: Connection
  ) throws(TodoError) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    var api: UnsafeMutablePointer<fts5_api>?
    let code = sqlite3_prepare_v2(connection.handle, "SELECT fts5(?)", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard code == SQLITE_OK else { throw connection.failure.error(code) }
    let kind: StaticString = "fts5_api_ptr"
    kind.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { name in
        withUnsafeMutablePointer(to: &api) { place in
          sqlite3_bind_pointer(statement, 1, place, name.baseAddress, nil)
          sqlite3_step(statement)
        }
      }
    }
    return api
  }
}

/// The callback that the tokenizer calls for each word.
private func appendWord(
  _ words: UnsafeMutableRawPointer?, _ flags: CInt, _ start: UnsafePointer<CChar>?, _ count: CInt,
  _ from: CInt, _ to: CInt
) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
  words?.assumingMemoryBound(to: [String].self).pointee.append(
    String(decoding: bytes, as: UTF8.self))
  return SQLITE_OK
}
