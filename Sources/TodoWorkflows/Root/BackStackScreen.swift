import ScreenModel

/// Screens on top of each other, the bottom one first; the last one is in front.
package struct BackStackScreen {
  package var items: [any DescribableScreen]

  package init(items: [any DescribableScreen]) { self.items = items }

  /// Every screen as values. Only the one in front offers what it shows, and a list right below a
  /// form whose text is stored: whoever acts there leaves the form.
  package func describe() -> [Screen] {
    var screens = items.map { $0.describe() }
    let coveredList = Self.coveredListIndex(in: screens)
    let isOffered = !(items.last?.hasUnsavedText ?? false)
    for index in screens.indices.dropLast() where index != coveredList || !isOffered {
      items[index].moveToBackground(&screens[index])
    }
    return screens
  }

  /// The list that only a form covers, if there is one.
  package static func coveredListIndex(in screens: [Screen]) -> Int? {
    guard screens.count >= 2, case .form = screens[screens.count - 1].body,
      screens[screens.count - 2].isList
    else { return nil }
    return screens.count - 2
  }
}
