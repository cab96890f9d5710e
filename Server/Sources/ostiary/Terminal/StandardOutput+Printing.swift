import ArgumentParser
import Foundation
import OstiaryConfiguration

/// Writes a line to standard error at once. Errors are ignored, since there is no other place to report them.
func printError(_ text: String) { prompt("\(text)\n") }

/// Writes to standard error at once, without a line end.
func prompt(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

/// Writes a line to standard output at once, also to a pipe. A closed pipe is ignored and does not end a server.
func printLine(_ text: String) { try? StandardOutput.write("\(text)\n") }

/// Writes the result of a command and a line end to standard output.
///
/// - Throws: The exit status, after one line on standard error if the output cannot be written.
func printResult(_ text: String) throws {
    do {
        try StandardOutput.write("\(text)\n")
    } catch is StandardOutput.Closed {
        throw ExitCode.success
    } catch {
        printError("\(error)")
        throw ExitCode.failure
    }
}
