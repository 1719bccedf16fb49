import TodoModel

/// The response of a WebDAV server about several resources (RFC 4918).
struct Multistatus: Sendable {
  /// A resource in the response: its address, its status and its properties.
  struct Resource: Sendable {
    var href = ""
    /// The status of the resource, such as 404 if it does not exist; `nil` if the response has no
    /// status for the resource as a whole.
    var status: Int?
    /// The properties that the resource has, by their names.
    var properties: [String: Property] = [:]

    subscript(name: String) -> Property? { properties[name] }

    var etag: String? { self[DAV.etag]?.text.trimmed }
  }

  struct Property: Sendable {
    /// The text of the property's element, including the text of nested elements.
    var bytes: [UInt8] = []
    /// Whether the text was truncated because it was too long.
    var isCut = false
    /// The names of the nested elements.
    var elements: Set<String> = []
    var hrefs: [String] = []
    /// The values of the attribute `name` of the nested elements.
    var names: Set<String> = []

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private(set) var resources: [Resource] = []
  /// The token of the state that the response describes; `nil` if there is none.
  private(set) var syncToken: String?
  /// Whether the server has left out some of the resources (status 507).
  var isCut: Bool { resources.contains { $0.status == 507 } }

  init(_ bytes: [UInt8]) throws(TodoError) {
    let reader = Reader()
    try XMLReader.read(bytes, to: reader)
    guard reader.isMultistatus else {
      throw TodoError(
        .invalidResponse, "The answer of the source is not the XML of a calendar server.")
    }
    guard reader.resources.allSatisfy({ !$0.href.isEmpty }) else {
      throw TodoError(.invalidResponse, "The source names a resource without its address.")
    }
    resources = reader.resources
    syncToken = reader.syncToken
  }

  /// The receiver of the XML elements, which collects the resources.
  private final class Reader: XMLReader.Consumer {
    private(set) var isMultistatus = false
    private(set) var resources: [Resource] = []
    private(set) var syncToken: String?
    private var path: [String] = []
    private var resource = Resource()
    /// The properties in the current `propstat` element, and their status.
    private var properties: [String: Property] = [:]
    private var propertyStatus: Int?
    private var property = Property()
    private var text: [UInt8] = []

    /// The depth of a property's element. The root element has depth 1.
    private static let propertyDepth = 5

    func start(_ name: String, attributes: [String: String]) {
      path.append(name)
      text = []
      if path == [DAV.multistatus] { isMultistatus = true }
      switch (path.count, name) {
      case (2, DAV.response): resource = Resource()
      case (3, DAV.propstat): (properties, propertyStatus) = ([:], nil)
      case (Self.propertyDepth, _) where path[3] == DAV.prop: property = Property()
      case (Self.propertyDepth..., _):
        property.elements.insert(name)
        if let name = attributes["name"] { property.names.insert(name) }
      default: break
      }
    }

    func end(_ name: String) {
      var value: String { String(decoding: text, as: UTF8.self).trimmed }
      switch (path.count, name) {
      case (2, DAV.response): resources.append(resource)
      case (2, DAV.syncToken): syncToken = value
      case (3, DAV.href) where path[1] == DAV.response: resource.href = value
      case (3, DAV.status): resource.status = Self.status(value)
      case (3, DAV.propstat):
        // If the status is missing, the resource has the properties.
        if 200..<300 ~= propertyStatus ?? 200 { resource.properties.merge(properties) { $1 } }
      case (4, DAV.status): propertyStatus = Self.status(value)
      case (Self.propertyDepth, _) where path[3] == DAV.prop: properties[name] = property
      case (Self.propertyDepth..., DAV.href): property.hrefs.append(value)
      default: break
      }
      path.removeLast()
      text = []
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
      if path.count >= Self.propertyDepth {
        if property.bytes.count + bytes.count <= CalendarObject.bytesMax + 1 {
          property.bytes += bytes
        } else {
          property.isCut = true
        }
      }
      // Objects are long, and their text is in `property` already.
      guard path.count < Self.propertyDepth || path.last == DAV.href else { return }
      if text.count + bytes.count <= HTTPURL.bytesMax { text += bytes }
    }

    /// Returns the status code in a line such as `HTTP/1.1 200 OK`.
    private static func status(_ line: String) -> Int? {
      line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
  }
}

/// The names of WebDAV and CalDAV elements, in the form in which libexpat reports them.
enum DAV {
  static let multistatus = "DAV: multistatus"
  static let response = "DAV: response"
  static let propstat = "DAV: propstat"
  static let prop = "DAV: prop"
  static let status = "DAV: status"
  static let href = "DAV: href"
  static let syncToken = "DAV: sync-token"
  static let etag = "DAV: getetag"
  static let resourceType = "DAV: resourcetype"
  static let displayName = "DAV: displayname"
  static let principal = "DAV: current-user-principal"
  static let privileges = "DAV: current-user-privilege-set"
  static let reports = "DAV: supported-report-set"
  static let syncCollection = "DAV: sync-collection"

  private static let calDAV = "urn:ietf:params:xml:ns:caldav"
  static let calendar = "\(calDAV) calendar"
  static let calendarData = "\(calDAV) calendar-data"
  static let homeSet = "\(calDAV) calendar-home-set"
  static let components = "\(calDAV) supported-calendar-component-set"
}
