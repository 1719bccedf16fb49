import Swift6
import WorkflowRuntime

// One `await` at the top level makes all of it a task: the host is used before and after it, and an
// actor has one of its own.
let host = WorkflowHost(workflow: Lamp())
host.rendering.sink.send(.toggle)
let isOn = await LampHolder().toggle()
host.rendering.sink.send(.toggle)
print(host.drainOutputs(), isOn)
