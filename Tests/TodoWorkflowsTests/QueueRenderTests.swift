import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the queue of a list")
struct QueueRenderTests {
  private let store = TodoStoreSpy(["Milk"])

  private func tester(_ queue: OperationQueue) -> RenderTester<QueueWorkflow> {
    QueueWorkflow(queue: queue, list: .local, store: store).renderTester()
  }

  @Test("An empty queue needs no worker")
  func empty() {
    tester(OperationQueue()).render { _ in }.assertNoOutput()
  }

  @Test("Only the first operation runs, and its end names it")
  func first() {
    var queue = OperationQueue()
    queue.add(.toggle(TodoID("t1")), from: .list, token: nil)
    queue.add(.logOut, from: .request, token: Sample.token)
    let entry = queue.entries[0]
    tester(queue)
      .expectWorker(
        OperationWorker(entry: entry, list: .local, store: store),
        producingOutput: .failure(Sample.error)
      )
      .render { _ in }
      .verifyOutput { output in
        guard case .ended(entry, .failure(Sample.error)) = output else { return mismatch(output) }
      }
  }

  @Test("Slow reads run beside the operation")
  func longRead() throws {
    var queue = OperationQueue()
    let query = TodoQuery(text: "milk")
    queue.add(.page(query), from: .request, token: Sample.token)
    let entry = queue.entries[0]
    let ended = queue.end(entry)
    let page = try #require(ended)
    queue.read(query, EmptyReader(), for: page)
    queue.add(.logOut, from: .request, token: nil)
    let read = queue.slowReads[0]
    tester(queue)
      .expectWorker(OperationWorker(entry: queue.entries[0], list: .local, store: store))
      .expectWorker(
        BackgroundReadWorker(read: read), key: "\(page.number)",
        producingOutput: .failure(Sample.error)
      )
      .render { _ in }
      .verifyOutput { output in
        guard case .read(read, .failure(Sample.error)) = output else { return mismatch(output) }
      }
  }

  private struct EmptyReader: TodoReader {
    func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer { .position(nil) }
    func cancel() {}
  }
}
