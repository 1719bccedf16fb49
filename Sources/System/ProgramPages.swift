import CSystem

/// The pages of the program's file that are mapped into memory.
package enum ProgramPages {
  /// Forgets those that were touched so far; what is needed again comes back page by page.
  ///
  /// For the end of the start, which touches most of the program: to look a conformance up, Swift's
  /// runtime goes through all of them. Resident after `initialize`, before and after: 8.3 MiB and
  /// 4 MiB.
  package static func forget() { unmapProgramPages() }
}
