import ScreenModel

/// Screens on top of each other, the bottom one first; the last one is in front.
package struct BackStackScreen {
  package var items: [any DescribableScreen]

  package init(items: [any DescribableScreen]) { self.items = items }

  /// Every screen as values. Only the one in front offers what it shows.
  package func describe() -> [Screen] {
    var screens = items.map { $0.describe() }
    for index in screens.indices.dropLast() { screens[index] = screens[index].inBackground() }
    return screens
  }
}
