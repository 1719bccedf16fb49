extension Package {
  /// Removes all products of the package, and all targets except the given ones and their
  /// dependencies.
  func keepTargets(_ names: [String]) {
    var pending = names
    var kept: Set<String> = []
    while let name = pending.popLast() {
      guard kept.insert(name).inserted else { continue }
      for target in targets where target.name == name {
        for case .byNameItem(let dependency, _) in target.dependencies {
          pending.append(dependency)
        }
      }
    }
    products = []
    targets.removeAll { !kept.contains($0.name) }
  }
}
