import ArgumentParser
import Foundation
import OstiaryConfiguration

/// Writes a line to standard error at once. Errors are ignored, since there is no other place to report them.
func printError(_ text: String) { prompt("\(text)\n") }

/// Writes to standard error at once, without a line end.
func prompt(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

/// Writes a line to standard output at once, also to a pipe. A closed pipe is ignored and does not end a server.
func printLine(_ text: String) { try? StandardOutput.write("\(text)\n") }
