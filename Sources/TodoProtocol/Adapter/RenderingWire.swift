import JSONRPC
import ScreenModel
import TodoWire

/// The encoder of renderings for one front-end: it writes them whole, or as patches to the previous
/// rendering.
struct RenderingWire {
  /// Whether the front-end has sent `initialized`.
  var isShown = false
  /// Whether the front-end can apply patches.
  var isPatching = false
  /// Whether the front-end requests only the front screen and the lists below it. Such renderings
  /// are too small for patches to pay off.
  var isFrontOnly = false
  /// The last rendering, retained while patches are enabled.
  private var sent: (screens: [Screen], revision: Int64)?
  /// The cached encodings of the lists below the front screen, which seldom change while the user
  /// types.
  private var writtenLists: [WrittenScreen] = []

  /// The maximum size in bytes of a cached list. Longer lists, of a front-end without a window, are
  /// encoded each time.
  private static let writtenListBytesMax = 64 << 10

  /// Writes the params of a rendering: as a patch if that is enabled and shorter, otherwise whole.
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
    // The lists are nearly always unchanged.
    let lists = screens.dropLast().filter(\.isList)
    if lists != writtenLists.map(\.screen) { writtenLists = lists.map { WrittenScreen($0) } }
    WholeRendering(
      screens: screens, revision: revision, isFrontOnly: true, writtenLists: writtenLists
    ).write(to: &writer)
    writtenLists.removeAll { $0.bytes.count > Self.writtenListBytesMax }
  }
}
