import ScreenModel

/// A stack of screens, the bottom one first; the last one is in front.
package struct BackStackScreen {
  package var items: [any DescribableScreen]

  package init(items: [any DescribableScreen]) { self.items = items }

  /// Returns the descriptions of all screens. Actions are enabled only on the front screen and, if
  /// that is a form without unsaved text, on a list directly below it: an action on the list closes
  /// the form.
  package func describe() -> [Screen] {
    var screens = items.map { $0.describe() }
    let coveredList = Self.coveredListIndex(in: screens)
    let isOffered = !(items.last?.hasUnsavedText ?? false)
    for index in screens.indices.dropLast() where index != coveredList || !isOffered {
      items[index].moveToBackground(&screens[index])
    }
    return screens
  }

  /// Returns the index of the list that only a form covers; `nil` if there is none.
  package static func coveredListIndex(in screens: [Screen]) -> Int? {
    guard screens.count >= 2, case .form = screens[screens.count - 1].body,
      screens[screens.count - 2].isList
    else { return nil }
    return screens.count - 2
  }
}
