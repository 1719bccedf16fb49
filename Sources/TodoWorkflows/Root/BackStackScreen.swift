import ScreenModel

/// A stack of screens. The first screen is at the bottom, and the last one is in front.
package struct BackStackScreen {
  package var items: [any DescribableScreen]

  package init(items: [any DescribableScreen]) { self.items = items }

  /// Returns the descriptions of all screens, with the actions of covered screens disabled. There
  /// is one exception: if the screen in front is a form without unsaved text, the actions of a list
  /// directly below the form stay enabled. Such an action first closes the form.
  package func describe() -> [Screen] {
    var screens = items.map { $0.describe() }
    let coveredList = Self.coveredListIndex(in: screens)
    let isOffered = !(items.last?.hasUnsavedText ?? false)
    for index in screens.indices.dropLast() where index != coveredList || !isOffered {
      items[index].moveToBackground(&screens[index])
    }
    return screens
  }

  /// Returns the index of a list directly below a form that is in front; `nil` if there is none.
  package static func coveredListIndex(in screens: [Screen]) -> Int? {
    guard screens.count >= 2, case .form = screens[screens.count - 1].body,
      screens[screens.count - 2].isList
    else { return nil }
    return screens.count - 2
  }
}
