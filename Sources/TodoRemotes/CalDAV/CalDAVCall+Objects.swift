import TodoModel

/// Requests that read or change one object of the task list.
extension CalDAVCall {
  /// Reads a todo.
  ///
  /// - Parameter key: The name of the todo's object at the server. This name is not known if the
  ///   response to the request that created the object was lost. In this case, `key` is the text of
  ///   the marker in that request (see `ItemMarker`).
  func read(_ key: String) async throws(TodoError) -> RemoteItem {
    do throws(TodoError) {
      return item(try await object(key))
    } catch {
      guard error.kind == .notFound, ItemMarker(key).createdAt != nil,
        let name = try await name(ofUID: Self.uid(of: ItemMarker(key)))
      else { throw error }
      return item(try await object(name))
    }
  }

  /// Returns the name of the object with the given UID; `nil` if there is none. The server may have
  /// chosen another name than the one in the request that created the object.
  private func name(ofUID uid: String) async throws(TodoError) -> String? {
    let answer = try await client.properties(
      "REPORT", client.url, depth: 1, CalDAVBody.object(uid: uid)
    ).status
    for resource in answer.resources where resource.status == nil || resource.status == 200 {
      guard let name = try client.name(at: resource.href) else { continue }
      // The server may have ignored the UID in the request.
      if try await object(name).object.uid == uid { return name }
    }
    return nil
  }

  private func object(_ name: String) async throws(TodoError) -> CalDAVObject {
    let response = try await client.object("GET", name)
    do throws(CalendarObject.Problem) {
      let object = CalDAVObject(
        name: name, etag: response.value(of: "ETag") ?? "",
        object: try CalendarObject(response.body))
      memory.keep(object)
      return object
    } catch {
      switch error {
      case .notTodo: throw TodoError(.notFound, "This is not a todo any more.", status: 410)
      case .unreadable(let reason):
        throw TodoError(.validation, "The source's object cannot be read: \(reason).")
      }
    }
  }

  /// Returns the UID for a new todo (RFC 9562, version 8): a hash of the marker, so that each
  /// attempt to create the todo has the same UID. Without a marker, the UID is random.
  static func uid(of marker: ItemMarker?) -> String {
    var (high, low): (UInt64, UInt64)
    if let marker {
      (high, low) = (0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4)
      for byte in marker.text.utf8 {
        high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
        low = (low ^ UInt64(byte) ^ high >> 32) &* 0x100_0000_01B3
      }
    } else {
      (high, low) = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
    }
    high = high & ~0xF000 | 0x8000
    low = low & ~(3 << 62) | 2 << 62
    let digits = [high, low].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private static let markerName = "X-TODO-SERVER-MARKER"

  /// Returns the marker of the request that created an object; `nil` if there is none. The marker
  /// of a copied object is ignored: a copy contains the same marker, but has another UID.
  static func marker(of object: CalendarObject) -> ItemMarker? {
    guard let text = object[markerName]?.valueText, text.utf8.count <= ItemMarker.bytesMax else {
      return nil
    }
    let marker = ItemMarker(text)
    return object.uid == uid(of: marker) ? marker : nil
  }

  func create(
    _ content: TodoContent, _ marker: ItemMarker?
  ) async throws(TodoError) -> RemoteItem {
    let uid = Self.uid(of: marker)
    var object = CalendarObject(uid: uid, at: client.now())
    if let marker {
      object.append(CalendarProperty(Self.markerName, value: Array(marker.text.utf8)))
    }
    _ = try object.apply(content, ContentField.allCases, by: clock, at: client.now())
    do throws(TodoError) {
      return try await put(object, as: "\(uid).ics", HTTPHeader("If-None-Match", "*"))
    } catch {
      // The object already exists if an earlier attempt to create it has succeeded.
      guard error.kind == .conflict, let name = try await name(ofUID: uid) else { throw error }
      return item(try await self.object(name))
    }
  }

  /// Changes some fields of a todo.
  ///
  /// - Parameter revision: The ETag of the object that the change is based on; `nil` for any ETag.
  /// - Throws: `conflict` if the object has another ETag.
  func change(
    _ name: String, _ content: TodoContent, _ fields: [ContentField], _ revision: String?
  ) async throws(TodoError) -> RemoteItem {
    var found: CalDAVObject
    if let revision, let known = memory.object(name, etag: revision) {
      found = known
    } else {
      found = try await object(name)
    }
    guard found.etag == revision ?? found.etag else {
      throw TodoError(.conflict, "The todo was changed meanwhile.", status: 412)
    }
    let now = client.now()
    guard try found.object.apply(content, fields, by: clock, at: now) else { return item(found) }
    found.object.recordChange(at: now)
    return try await put(found.object, as: name, try condition(found.etag))
  }

  func remove(_ name: String, _ revision: String?) async throws(TodoError) {
    do throws(TodoError) {
      var etag = revision ?? ""
      if etag.isEmpty { etag = try await object(name).etag }
      _ = try await write("DELETE", name, headers: [try condition(etag)])
    } catch {
      guard error.kind == .notFound else { throw error }
      // The object is gone. If the whole list is gone, this call throws an error.
      _ = try await state()
    }
  }

  private func condition(_ etag: String) throws(TodoError) -> HTTPHeader {
    guard !etag.isEmpty else {
      throw TodoError(
        .invalidResponse, "The source sent no ETag, so it cannot be changed safely.", status: 422)
    }
    return HTTPHeader("If-Match", etag)
  }

  /// Sends a request that changes an object.
  ///
  /// - Throws: The errors of the request. If the request is forbidden because the whole list is
  ///   read-only for the user, the message of the error says so.
  private func write(
    _ method: String, _ name: String, headers: [HTTPHeader], body: [UInt8]? = nil
  ) async throws(TodoError) -> HTTPResponse {
    memory.forgetListed(name)
    do throws(TodoError) {
      let response = try await client.object(method, name, headers: headers, body: body)
      memory.isReadOnly = false
      return response
    } catch {
      guard error.kind == .forbidden, try await state().list.isReadOnly else { throw error }
      throw .readOnlyList
    }
  }

  /// Stores an object at the server, and returns the item that the server now has.
  private func put(
    _ object: CalendarObject, as name: String, _ condition: HTTPHeader
  ) async throws(TodoError) -> RemoteItem {
    memory.keep(nil)
    let response = try await write(
      "PUT", name,
      headers: [condition, HTTPHeader("Content-Type", "text/calendar; charset=utf-8")],
      body: object.bytes)
    // If the response has no ETag, the server has changed the object while storing it. A server
    // that has changed the object but sends an ETag reports the object with the next changes.
    guard let etag = response.value(of: "ETag") else { return item(try await self.object(name)) }
    return item(CalDAVObject(name: name, etag: etag, object: object))
  }
}
