/// Lists the entries of a folder.
package enum FolderListing {
  /// Returns the sorted names of the entries in a folder, without `.` and `..`; `nil` if the folder
  /// cannot be read, with the reason in `errno`.
  package static func sorted(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
