import Testing
import TodoModel

@testable import TodoTools

struct ResourceAddressTests {
  @Test func addressesOfListAndTodosAreParsed() {
    #expect(ResourceAddress("todo://list") == .list)
    #expect(ResourceAddress("todo://todo/t1") == .todo(TodoID("t1")))
    #expect(ResourceAddress("todo://todo/a%20b%2fc") == .todo(TodoID("a b/c")))
    #expect(ResourceAddress("todo://todo/%C3%BC") == .todo(TodoID("ü")))
  }

  @Test(arguments: [
    "", "todo:", "todo://", "todo://lists", "todo://todo", "todo://todo/", "TODO://list",
    "todo://todo/%", "todo://todo/%2", "todo://todo/%zz", "todo://todo/%+1", "todo://todo/%ff",
    "file:///etc/passwd",
  ])
  func otherAddressesAreRefused(_ uri: String) {
    #expect(ResourceAddress(uri) == nil)
  }
}
