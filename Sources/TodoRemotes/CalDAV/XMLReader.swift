import CExpat
import TodoModel

/// A parser for XML that uses the system's libexpat. The library is loaded when the first document
/// is parsed.
///
/// Documents come from the network. Therefore, document type declarations are rejected, and the
/// depth and the size of the text are limited.
enum XMLReader {
  static let depthMax = 64
  /// The maximum size of all text in one document, in bytes.
  static let textBytesMax = 64 << 20

  /// The name of an element: its namespace, a space, and its local name.
  typealias Name = String

  /// A receiver for the elements and texts of a document, in the order of the document.
  protocol Consumer: AnyObject {
    func start(_ name: Name, attributes: [Name: String])
    func end(_ name: Name)
    /// Receives a part of a text. A text can arrive in several parts.
    func text(_ bytes: UnsafeRawBufferPointer)
  }

  /// Parses a document.
  ///
  /// - Throws: `invalidResponse` if the document is not well-formed, too large or too deep, or has
  ///   a document type; `offline` if the system has no libexpat.
  static func read(_ bytes: [UInt8], to consumer: any Consumer) throws(TodoError) {
    guard let expat = expat_load() else {
      throw TodoError(
        .offline,
        "libexpat is missing, and a CalDAV source needs it. On Debian: apt-get install libexpat1")
    }
    guard let parser = expat.pointee.create(nil, CChar(UInt8(ascii: " "))) else {
      throw TodoError(.invalidResponse, "There is no memory for the answer of the source.")
    }
    defer { expat.pointee.free(parser) }
    let state = State(expat.pointee, parser, consumer)
    expat.pointee.set_user(parser, Unmanaged.passUnretained(state).toOpaque())
    expat.pointee.set_elements(
      parser, { State.of($0).start($1, $2) }, { State.of($0).end($1) })
    expat.pointee.set_characters(parser) { State.of($0).text($1, $2) }
    expat.pointee.set_start_doctype(parser) { user, _, _, _, _ in
      State.of(user).stop("it has a document type")
    }
    let isRead = withExtendedLifetime(state) { parse(bytes, with: expat.pointee, parser) }
    guard isRead, state.problem == nil else {
      throw TodoError(
        .invalidResponse,
        "The answer of the source is not the XML of a calendar server: "
          + "\(state.problem ?? "it is not well-formed").")
    }
  }

  private static func parse(
    _ bytes: [UInt8], with expat: expat_functions, _ parser: expat_parser
  ) -> Bool {
    let chunkBytes = 1 << 20
    return bytes.withUnsafeBytes { buffer in
      var start = 0
      repeat {
        let end = min(start + chunkBytes, buffer.count)
        let chunk = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        let isRead = expat.parse(
          parser, chunk.bindMemory(to: CChar.self).baseAddress, CInt(chunk.count),
          end == buffer.count ? 1 : 0)
        guard isRead == 1 else { return false }
        start = end
      } while start < buffer.count
      return true
    }
  }

  /// The state of the parser, which libexpat passes to the handlers as user data.
  private final class State {
    private let expat: expat_functions
    private let parser: expat_parser
    private let consumer: any Consumer
    private var depth = 0
    private var textBytes = 0
    private(set) var problem: String?

    init(_ expat: expat_functions, _ parser: expat_parser, _ consumer: any Consumer) {
      (self.expat, self.parser, self.consumer) = (expat, parser, consumer)
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> State {
      // `read` sets the user data before it calls `parse`, and libexpat passes the data to each
      // handler.
      guard let user else { preconditionFailure("libexpat lost the user data") }
      return Unmanaged<State>.fromOpaque(user).takeUnretainedValue()
    }

    func stop(_ problem: String) {
      self.problem = self.problem ?? problem
      _ = expat.stop(parser, 0)
    }

    func start(
      _ name: UnsafePointer<CChar>?,
      _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
      guard problem == nil, let name else { return }
      depth += 1
      guard depth <= XMLReader.depthMax else {
        return stop("it has more than \(XMLReader.depthMax) levels")
      }
      var values: [Name: String] = [:]
      var next = attributes
      while let pair = next, let key = pair[0], let value = pair[1] {
        values[String(cString: key)] = String(cString: value)
        next = pair + 2
      }
      consumer.start(String(cString: name), attributes: values)
    }

    func end(_ name: UnsafePointer<CChar>?) {
      guard problem == nil, let name else { return }
      depth -= 1
      consumer.end(String(cString: name))
    }

    func text(_ bytes: UnsafePointer<CChar>?, _ count: CInt) {
      guard problem == nil else { return }
      textBytes += Int(count)
      guard textBytes <= XMLReader.textBytesMax else { return stop("it is too long") }
      consumer.text(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
  }
}
