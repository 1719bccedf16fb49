extension DocumentGeneration {
  /// Returns the changes from this generation (recorded version of a document) to a later one.
  package func difference(to next: DocumentGeneration, path: String) -> NextGeneration {
    var lines: [TodoID: LineDigests?] = [:]
    for (id, line) in next.lines where self.lines[id] != line { lines[id] = .some(line) }
    for id in self.lines.keys where next.lines[id] == nil { lines.updateValue(nil, forKey: id) }
    var texts: [Int64: Int64?] = [:]
    for (id, digest) in next.texts where self.texts[id] != digest { texts[id] = .some(digest) }
    for id in self.texts.keys where next.texts[id] == nil { texts.updateValue(nil, forKey: id) }
    var difference = NextGeneration(
      path: path, number: next.number, lines: lines, texts: texts)
    difference.lastMove = next.lastMove
    return difference
  }
}
