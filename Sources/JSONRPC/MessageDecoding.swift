/// Decodes a frame into messages whose params are `JSON` trees.
///
/// It never fails: bytes that are not JSON, and JSON that is not a message, are returned as
/// `Message.invalid`, with the error and the id for the response. The id is `nil` if it could not
/// be read.
///
/// ```swift
/// switch decode(frame) {
/// case .single(.request(let request)): answer(request)
/// case .single(.invalid(let id, let error)): refuse(id, error)
/// case .single, .batch: break
/// }
/// ```
///
/// If the params of a notification contain a number out of the range of a `Double`, the
/// notification is returned without params.
///
/// `JSONRPCConnection` decodes frames too, but leaves the params as bytes until they are read.
public func decode(
  _ frame: some Collection<UInt8>, limits: MessageLimits = .standard
) -> Incoming {
  let incoming = frame.withContiguousStorageIfAvailable { Incoming($0, limits: limits) }
  return incoming ?? Array(frame).withUnsafeBufferPointer { Incoming($0, limits: limits) }
}

extension Incoming {
  fileprivate init(_ frame: UnsafeBufferPointer<UInt8>, limits: MessageLimits) {
    switch ScannedFrame(frame, limits: limits) {
    case .single(let scanned): self = .single(Message(scanned, frame, limits.json))
    case .batch(let scanned): self = .batch(scanned.map { Message($0, frame, limits.json) })
    }
  }
}

extension Message {
  fileprivate init(
    _ scanned: ScannedMessage, _ frame: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits
  ) {
    switch scanned {
    case .response(let response): self = .response(response)
    case .invalid(let id, let error): self = .invalid(id: id, error)
    case .call(let id, let method, let range):
      do throws(JSONError) {
        let bytes = range.map { UnsafeBufferPointer(rebasing: frame[$0]) }
        var params: JSON?
        if let bytes { params = try JSON(parsing: bytes, limits: limits) }
        self =
          if let id {
            .request(Request(id: id, method: method, params: params))
          } else {
            .notification(Notification(method: method, params: params))
          }
      } catch {
        // Only a number out of range can pass the check and fail here.
        guard let id else {
          // A notification gets no response, not even an error.
          self = .notification(Notification(method: method))
          return
        }
        self = .invalid(id: id, .invalidParams("params: \(error.problem)"))
      }
    }
  }
}
