import System

/// A free port of 127.0.0.1, reserved while this object exists. Unless `listen` is called,
/// connections are refused, which simulates being offline.
package final class LoopbackSocket: Sendable {
  package let port: UInt16
  let descriptor: CInt

  package init() {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    let descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
      }
    }
    precondition(isBound, "No port of 127.0.0.1 is free.")
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Returns a socket that accepts connections and never responds.
  package static func silent() -> LoopbackSocket {
    let socket = LoopbackSocket()
    precondition(listen(socket.descriptor, 64) == 0, "127.0.0.1 cannot be listened on.")
    return socket
  }

  deinit { close(descriptor) }
}
