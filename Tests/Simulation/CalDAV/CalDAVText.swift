import TestSupport
import TodoModel

/// The texts of a calendar server. They are written and parsed without the code under test.
enum CalDAVText {
  // MARK: XML

  static func answer(_ rows: [String], token: String? = nil) -> LoopbackResponse {
    let token = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
    return LoopbackResponse(
      207,
      body: "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\">"
        + rows.joined() + token + "</D:multistatus>")
  }

  static func row(_ href: String, _ properties: String) -> String {
    "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
      + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
  }

  /// Returns the texts of all elements with a name.
  static func elements(_ name: String, in body: String) -> [String] {
    body.split(separator: "<").filter { $0.hasPrefix("\(name)>") || $0.hasPrefix("\(name) ") }
      .map { String($0.drop { $0 != ">" }.dropFirst()) }
  }

  // MARK: Addresses

  static func encoded(_ name: String) -> String { name.replacing(" ", with: "%20") }
  static func decoded(_ path: String) -> String { path.replacing("%20", with: " ") }

  // MARK: Objects

  static func object(
    uid: String, _ content: TodoContent, foreign: [String], zone: String?
  ) -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:\(uid)"]
    lines += ["SUMMARY:\(escaped(content.title))"]
    if !content.note.isEmpty { lines += ["DESCRIPTION:\(escaped(content.note))"] }
    lines += [content.isDone ? "STATUS:COMPLETED" : "STATUS:NEEDS-ACTION"]
    if let due = content.due {
      let text = due.description.filter { $0 != "-" && $0 != ":" }
      let zone = zone.map { ";TZID=\($0)" } ?? ""
      lines += [due.minutes == nil ? "DUE;VALUE=DATE:\(text)" : "DUE\(zone):\(text)00"]
    }
    lines += foreign + ["END:VTODO", "END:VCALENDAR", ""]
    return lines.joined(separator: "\r\n")
  }

  /// Returns the lines of an object, and the fields that they contain.
  static func read(_ text: String) -> (lines: [String], content: TodoContent) {
    let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
    var content = TodoContent(
      title: unescaped(value("SUMMARY") ?? ""), note: unescaped(value("DESCRIPTION") ?? ""),
      isDone: value("STATUS") == "COMPLETED")
    let due = lines.first { $0.hasPrefix("DUE") }.map { $0.drop { $0 != ":" }.dropFirst() }
    if let digits = due.map({ Array($0.utf8).map { Character(Unicode.Scalar($0)) } }) {
      func part(_ range: Range<Int>) -> String { String(digits[range]) }
      let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
      content.due = DueDate(
        digits.count < 13 ? day : "\(day)T\(part(9..<11)):\(part(11..<13))")
    }
    return (lines, content)
  }

  /// Whether a line belongs to another program: it contains no field of a todo, and it is not one
  /// of the lines that every object has.
  static func isForeign(_ line: String) -> Bool {
    let own = [
      "SUMMARY", "DESCRIPTION", "STATUS", "COMPLETED", "PERCENT-COMPLETE", "DUE", "UID", "DTSTAMP",
      "CREATED", "LAST-MODIFIED", "SEQUENCE", "VERSION", "PRODID", "BEGIN:VCALENDAR",
      "END:VCALENDAR", "BEGIN:VTODO", "END:VTODO",
    ]
    return !own.contains { line.hasPrefix($0) }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\n": escaped += "\\n"
      case "\\", ";", ",": escaped += "\\\(character)"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  private static func unescaped(_ text: String) -> String {
    var (result, isEscaped) = ("", false)
    for character in text {
      if isEscaped {
        result.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
