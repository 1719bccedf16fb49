import JSONRPC

/// Applies a patch of RFC 6902 that only adds, removes and replaces, as a front-end does.
enum JSONPatch {
  struct Mismatch: Error {
    var path: String
  }

  static func apply(_ patch: JSON, to value: JSON) throws -> JSON {
    var value = value
    for operation in patch.arrayValue ?? [] {
      let path = operation["path"]?.stringValue ?? ""
      let steps = path.split(separator: "/").map { String($0) }
      value = try apply(operation, at: steps[...], of: value, path)
    }
    return value
  }

  private static func apply(
    _ operation: JSON, at steps: ArraySlice<String>, of value: JSON, _ path: String
  ) throws -> JSON {
    guard let step = steps.first else { return operation["value"] ?? .null }
    let (name, new) = (operation["op"], operation["value"])
    switch value {
    case .object(var object):
      let old = object[step]
      if steps.count > 1 || name == "replace" {
        guard let old else { throw Mismatch(path: path) }
        object[step] = try apply(operation, at: steps.dropFirst(), of: old, path)
      } else if name == "add" {
        guard old == nil else { throw Mismatch(path: path) }
        object[step] = new
      } else {
        guard old != nil else { throw Mismatch(path: path) }
        object[step] = nil
      }
      return .object(object)
    case .array(var array):
      let index = step == "-" ? array.count : Int(step) ?? -1
      if steps.count == 1, name == "add" {
        guard (0...array.count).contains(index), let new else { throw Mismatch(path: path) }
        array.insert(new, at: index)
      } else {
        guard array.indices.contains(index) else { throw Mismatch(path: path) }
        if steps.count == 1, name == "remove" {
          array.remove(at: index)
        } else {
          array[index] = try apply(operation, at: steps.dropFirst(), of: array[index], path)
        }
      }
      return .array(array)
    default: throw Mismatch(path: path)
    }
  }
}
