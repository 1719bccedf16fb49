import Swift6
import WorkflowRuntime

// A program that awaits nothing: its host is made and used outside of any task.
let host = WorkflowHost(workflow: Lamp())
host.rendering.sink.send(.toggle)
print(host.drainOutputs())
