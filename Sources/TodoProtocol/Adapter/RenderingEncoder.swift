import JSONRPC
import ScreenModel
import TodoWire

/// The encoder of renderings for a client. It encodes either a whole rendering, or a patch with the
/// changes since the last rendering.
struct RenderingEncoder {
  /// Whether renderings are sent to the client, because the client has sent `initialized`.
  var isShown = false
  /// Whether the client can apply patches.
  var isPatching = false
  /// Whether renderings are reduced: they contain the front screen and the lists behind it, but
  /// only the ID, name and title of other screens. Reduced renderings are never sent as patches,
  /// because they are small enough.
  var isFrontOnly = false
  /// The last rendering. It is stored only if the client can apply patches.
  private var sent: (screens: [Screen], revision: Int64)?
  /// The cached encodings of the lists below the front screen. These lists rarely change while the
  /// user types.
  private var writtenLists: [WrittenScreen] = []

  /// The maximum size of a cached encoding, in bytes. A longer list is encoded each time. Only
  /// clients that have not limited the list window have such lists.
  private static let writtenListBytesMax = 64 << 10

  /// Encodes a rendering as a patch if the client can apply patches and the patch is shorter;
  /// otherwise as a whole.
  mutating func write(_ screens: [Screen], revision: Int64, to writer: inout JSONWriter) {
    if isFrontOnly { return writeFront(screens, revision: revision, to: &writer) }
    defer { if isPatching { sent = (screens, revision) } }
    guard let sent else {
      return writeWhole(screens, revision: revision, to: &writer)
    }
    var patchWriter = JSONWriter()
    PatchRendering(old: sent.screens, base: sent.revision, new: screens, revision: revision)
      .write(to: &patchWriter)
    if patchWriter.byteCount > WholeRendering.bytesMin(of: screens),
      patchWriter.byteCount > WholeRendering.bytesMin(of: screens, readsItems: true)
    {
      var wholeWriter = JSONWriter()
      writeWhole(screens, revision: revision, to: &wholeWriter)
      if wholeWriter.byteCount < patchWriter.byteCount { return writer.raw(wholeWriter) }
    }
    writer.raw(patchWriter)
  }

  private func writeWhole(_ screens: [Screen], revision: Int64, to writer: inout JSONWriter) {
    WholeRendering(screens: screens, revision: revision, isFrontOnly: isFrontOnly)
      .write(to: &writer)
  }

  private mutating func writeFront(
    _ screens: [Screen], revision: Int64, to writer: inout JSONWriter
  ) {
    // The lists rarely change.
    let lists = screens.dropLast().filter(\.isList)
    if lists != writtenLists.map(\.screen) { writtenLists = lists.map { WrittenScreen($0) } }
    WholeRendering(
      screens: screens, revision: revision, isFrontOnly: true, writtenLists: writtenLists
    ).write(to: &writer)
    writtenLists.removeAll { $0.bytes.count > Self.writtenListBytesMax }
  }
}
