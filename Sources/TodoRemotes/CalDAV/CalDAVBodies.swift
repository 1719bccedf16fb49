/// The XML bodies of requests to WebDAV (RFC 4918, 6578) and CalDAV (RFC 4791) servers.
enum CalDAVBody {
  private static let spaces = "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\""

  /// The body that requests the properties of a task list.
  static let list =
    "<D:propfind \(spaces)><D:prop><D:resourcetype/><D:displayname/><D:sync-token/>"
    + "<D:supported-report-set/><D:current-user-privilege-set/>"
    + "<C:supported-calendar-component-set/></D:prop></D:propfind>"

  static let principal =
    "<D:propfind \(spaces)><D:prop><D:current-user-principal/></D:prop></D:propfind>"

  static let homeSet =
    "<D:propfind \(spaces)><D:prop><C:calendar-home-set/></D:prop></D:propfind>"

  /// Returns the body that requests the ETags of all todos of a list.
  ///
  /// - Parameter withData: Whether the body also requests the contents of the objects.
  static func todos(withData: Bool) -> String {
    "<C:calendar-query \(spaces)><D:prop><D:getetag/>\(withData ? "<C:calendar-data/>" : "")"
      + "</D:prop><C:filter><C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VTODO\"/>"
      + "</C:comp-filter></C:filter></C:calendar-query>"
  }

  /// Returns the body that requests the ETag of the todo with the given UID.
  static func object(uid: String) -> String {
    "<C:calendar-query \(spaces)><D:prop><D:getetag/></D:prop><C:filter>"
      + "<C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VTODO\">"
      + "<C:prop-filter name=\"UID\"><C:text-match collation=\"i;octet\">\(escaped(uid))"
      + "</C:text-match></C:prop-filter></C:comp-filter></C:comp-filter></C:filter>"
      + "</C:calendar-query>"
  }

  static func changes(since token: String) -> String {
    "<D:sync-collection \(spaces)><D:sync-token>\(escaped(token))</D:sync-token>"
      + "<D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>"
  }

  /// Returns the body that requests the ETags and contents of the objects at some paths.
  static func objects(_ paths: [String]) -> String {
    let hrefs = paths.map { "<D:href>\(escaped($0))</D:href>" }.joined()
    return "<C:calendar-multiget \(spaces)><D:prop><D:getetag/><C:calendar-data/></D:prop>\(hrefs)"
      + "</C:calendar-multiget>"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
