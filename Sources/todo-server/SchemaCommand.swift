import System
import TodoProtocol
import TodoReplay

/// `schema`: prints the JSON Schema of every message.
enum SchemaCommand {
  static func run() {
    writeLine(TranscriptJSON.text(ProtocolSchema.json), to: STDOUT_FILENO)
  }
}
