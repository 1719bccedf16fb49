import JSONRPC
import TodoModel
import TodoRemotes

/// The client of a `ToyModel`.
struct ToyRemote: TodoRemote {
  let transport: any HTTPTransport

  var address: RemoteAddress {
    RemoteAddress(kind: "toy", baseURL: "https://toy.example", place: "box", description: "toy:box")
  }

  var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities(fields: RemoteItem.toyFields)
    (capabilities.recognition, capabilities.removal) = (.none, .deletes)
    (capabilities.changes, capabilities.hasConditionalWrites) = (.token, true)
    capabilities.pollMilliseconds = 60_000
    capabilities.details = [.comments]
    return capabilities
  }

  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    switch request.kind {
    case .list, .newest, .access: try await page("items")
    case .page(let link): try await page(link.url)
    case .changes(let token, _): try await page("changes?token=\(token)")
    case .read(let key): try await item("GET", key)
    case .create(let content, _):
      try await item("POST", nil, members(of: content, ContentField.setOnAdd))
    case .change(let key, let content, let fields, _, let revision):
      try await item("PUT", key, members(of: content, fields), revision)
    case .remove(let key, let revision): try await delete(key, revision)
    case .user, .changeLabel, .listLabels:
      throw TodoError(.invalidResponse, "There is no such request.")
    }
  }

  private func members(of content: TodoContent, _ fields: [ContentField]) -> JSONObject {
    var members = JSONObject()
    for field in fields {
      switch content[field] {
      case .text(let text): members[field.rawValue] = .string(text)
      case .flag(let flag): members[field.rawValue] = .bool(flag)
      case .texts(let texts): members[field.rawValue] = .array(texts.map { .string($0) })
      case nil: break
      }
    }
    return members
  }

  // MARK: Requests

  private func send(
    _ method: String, _ path: String, _ members: JSONObject? = nil, _ revision: String? = nil
  ) async throws(TodoError) -> (json: JSON, date: Timestamp?) {
    guard let url = HTTPURL("https://toy.example/\(path)") else {
      throw TodoError(.invalidResponse, "No URL.")
    }
    let headers = revision.map { [HTTPHeader("If-Match", $0)] } ?? []
    let body = members.map { Array(JSON.object($0).compactText.utf8) }
    let response = try await transport.send(
      HTTPRequest(method, url, headers: headers, body: body))
    switch response.status {
    case 200..<300: break
    case 404: throw TodoError(.notFound, "There is no such item.")
    case 410: throw TodoError(.validation, "The token is not known any more.")
    case 412: throw TodoError(.conflict, "The item has another revision.")
    case 500...: throw TodoError(.server, "The source has a problem.", status: response.status)
    default:
      throw TodoError(.invalidResponse, "An unexpected answer.", status: response.status)
    }
    let date = response.value(of: "Date").flatMap { Int64($0) }
      .map { Timestamp(milliseconds: $0) }
    guard !response.body.isEmpty else { return (.null, date) }
    do {
      return (try JSON(parsing: response.body), date)
    } catch {
      throw TodoError(.invalidResponse, "The answer is not whole.")
    }
  }

  private func page(_ path: String) async throws(TodoError) -> RemoteAnswer {
    let (json, date) = try await send("GET", path)
    var page = RemotePage(
      items: (json["items"]?.arrayValue ?? []).map { RemoteItem(toy: $0) },
      next: json["next"]?.stringValue.map { PageLink(url: "items?after=\($0)") },
      cursor: json["token"]?.stringValue, date: date)
    page.deleted = (json["deleted"]?.arrayValue ?? []).compactMap(\.stringValue)
    page.isFull = json["more"]?.boolValue ?? (page.next != nil)
    return RemoteAnswer(.items(page))
  }

  private func item(
    _ method: String, _ key: String?, _ members: JSONObject? = nil, _ revision: String? = nil
  ) async throws(TodoError) -> RemoteAnswer {
    let path = key.map { "items/\($0)" } ?? "items"
    return RemoteAnswer(
      .item(RemoteItem(toy: try await send(method, path, members, revision).json)))
  }

  private func delete(_ key: String, _ revision: String?) async throws(TodoError) -> RemoteAnswer {
    _ = try await send("DELETE", "items/\(key)", nil, revision)
    return RemoteAnswer(.deleted)
  }
}

extension RemoteItem {
  fileprivate static let toyFields: ContentFieldSet = [.title, .note, .done]

  fileprivate init(toy json: JSON) {
    let key = json["key"]?.stringValue ?? ""
    self.init(
      key: key, url: "https://toy.example/items/\(key)", content: TodoContent(json),
      fields: Self.toyFields,
      order: RemoteItem.orderMax - (json["number"]?.integerValue ?? 0),
      revision: json["revision"]?.stringValue,
      createdAt: json["created"]?.integerValue.map { Timestamp(milliseconds: $0) })
    details = SourceDetails(comments: json["comments"]?.integerValue.map { Int($0) })
  }
}
