import CSQLite
import TodoModel

/// The application ID and the schema version, from the first page of a database.
struct DatabaseHeader: Equatable {
  static let byteCount = 100

  let applicationID: Int64
  let version: Int64

  init(applicationID: Int64, version: Int64) {
    (self.applicationID, self.version) = (applicationID, version)
  }

  /// Parses the start of a file; `nil` if the file is not a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    func number(at offset: Int) -> Int64 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    self.init(applicationID: number(at: 68), version: number(at: 60))
  }
}

extension Connection {
  /// The header in the file, without changes that are only in the log; `nil` if there is none. It
  /// is read through SQLite, because opening and closing the file would release SQLite's locks.
  var header: DatabaseHeader? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    let result = methods.pointee.xRead?(file, &bytes, CInt(bytes.count), 0)
    guard result == SQLITE_OK else { return nil }
    return DatabaseHeader(bytes)
  }
}

extension InspectedDatabase {
  /// The newest header, even if it is only in the log.
  var header: DatabaseHeader {
    get throws(TodoError) {
      DatabaseHeader(
        applicationID: try number("PRAGMA application_id"),
        version: try number("PRAGMA user_version"))
    }
  }
}
