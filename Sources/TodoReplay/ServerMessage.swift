import JSONRPC
import ScreenModel

/// The format of the server's messages as lines of a transcript.
package enum ServerMessage {
  /// Returns the lines of a message. The lines of a rendering are followed by its front screen,
  /// drawn as text.
  ///
  /// - Parameter isShort: Whether the JSON of a rendering is replaced by one line, which contains
  ///   the revision and the names of the screens.
  package static func lines(of json: JSON, withPictures isShort: Bool) -> [String] {
    guard json["method"]?.stringValue == "workflow/render", let params = json["params"],
      let items = params["rendering"]?["items"]?.arrayValue
    else { return TranscriptJSON.lines(json.removingVersion, after: "<--") }
    var lines: [String]
    if isShort {
      let names = items.compactMap { $0["screen"]?["name"]?.stringValue }.joined(separator: " / ")
      lines = ["<-- render \(params["revision"]?.compactText ?? "?"): \(names)"]
    } else {
      lines = TranscriptJSON.lines(json.removingVersion, after: "<--")
    }
    if let screen = items.last?["screen"].flatMap(Screen.init) {
      lines += ScreenPicture.lines(of: screen).map { "== \($0)" }
    }
    return lines
  }
}

// These types are parsed from the message, as in a front-end, so that a picture shows what was
// sent.

extension Screen {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.stringValue, let title = json["title"]?.stringValue,
      let body = json["body"].flatMap(ScreenBody.init)
    else { return nil }
    self.init(
      name: name, title: title, bar: .hidden, body: body,
      message: json["message"].flatMap(ScreenMessage.init),
      actions: (json["actions"]?.arrayValue ?? []).compactMap(ScreenAction.init))
  }
}

extension ScreenMessage {
  fileprivate init?(_ json: JSON) {
    guard let level = json["level"]?.stringValue.flatMap(Level.init),
      let text = json["text"]?.stringValue
    else { return nil }
    self.init(level, text)
  }
}

extension ScreenAction {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.stringValue, let isEnabled = json["enabled"]?.boolValue else {
      return nil
    }
    self.init(name: name, title: json["title"]?.stringValue ?? "", isEnabled: isEnabled)
  }
}

extension ScreenBody {
  fileprivate init?(_ json: JSON) {
    switch json["kind"]?.stringValue {
    case "form":
      self = .form(ScreenForm((json["fields"]?.arrayValue ?? []).compactMap(ScreenField.init)))
    case "list":
      let items = (json["items"]?.arrayValue ?? []).compactMap(ListItem.init)
      self = .list(
        ScreenList(
          total: json["total"]?.integerValue.map { Int($0) } ?? items.count,
          offset: json["offset"]?.integerValue.map { Int($0) } ?? 0, items: ListItems(items),
          empty: json["empty"]?.stringValue ?? ""))
    case "progress":
      self = .progress(
        ScreenProgress(
          text: json["text"]?.stringValue ?? "", done: json["done"]?.integerValue.map { Int($0) },
          total: json["total"]?.integerValue.map { Int($0) }))
    default: return nil
    }
  }
}

extension ScreenField {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.stringValue, let label = json["label"]?.stringValue else {
      return nil
    }
    self.init(
      name: name, label: label, value: json["value"]?.stringValue ?? "",
      error: json["error"]?.stringValue)
    isSecret = json["secret"]?.boolValue ?? false
    isMultiline = json["multiline"]?.boolValue ?? false
    isReadOnly = json["readOnly"]?.boolValue ?? false
  }
}

extension ListItem {
  fileprivate init?(_ json: JSON) {
    guard let id = json["id"]?.stringValue, let title = json["title"]?.stringValue else {
      return nil
    }
    self.init(
      id: id, title: title, detail: json["detail"]?.stringValue,
      labels: json["labels"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      isChecked: json["checked"]?.boolValue, badge: json["badge"]?.stringValue)
    section = json["section"]?.stringValue
  }
}
