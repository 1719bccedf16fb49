import JSONRPC
import ScreenModel
import TodoWire

/// How renderings are written to one front-end: whole, or as patches of what it was sent last.
struct RenderingWire {
  /// Whether the front-end has said that it is ready to draw.
  var isShown = false
  /// Whether it can apply patches.
  var isPatching = false
  /// Whether the screen in front and a list below it are enough: little enough to need no patches.
  var isFrontOnly = false
  /// What was sent last, kept while patches are made from it.
  private var sent: (screens: [Screen], revision: Int64)?
  /// The lists below the front as they were written last: they seldom change while somebody types.
  private var writtenLists: [WrittenScreen] = []

  /// A longer list, of a front-end without a window, is written anew.
  private static let writtenListBytesMax = 64 << 10

  /// Writes the params of a rendering: as a patch where that is wanted and shorter, else whole.
  mutating func write(_ screens: [Screen], revision: Int64, to writer: inout JSONWriter) {
    if isFrontOnly { return writeFront(screens, revision: revision, to: &writer) }
    defer { if isPatching { sent = (screens, revision) } }
    guard let sent else {
      return writeWhole(screens, revision: revision, to: &writer)
    }
    var patchWriter = JSONWriter()
    PatchRendering(old: sent.screens, base: sent.revision, new: screens, revision: revision)
      .write(to: &patchWriter)
    if patchWriter.byteCount > WholeRendering.bytesMin(of: screens) {
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
    // Nearly always they are the same ones.
    let lists = screens.dropLast().filter(\.isList)
    if lists != writtenLists.map(\.screen) { writtenLists = lists.map { WrittenScreen($0) } }
    WholeRendering(
      screens: screens, revision: revision, isFrontOnly: true, writtenLists: writtenLists
    ).write(to: &writer)
    writtenLists.removeAll { $0.bytes.count > Self.writtenListBytesMax }
  }
}
