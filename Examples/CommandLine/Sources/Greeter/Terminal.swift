import Foundation

/// The terminal that the user types in, or the file that is redirected to standard input instead.
enum Terminal {
    static func ask(_ question: String) throws -> String {
        FileHandle.standardError.write(Data(question.utf8))
        guard let answer = readLine() else { throw Problem(description: "no answer") }
        return answer
    }

    /// Asks for a secret, which the terminal does not echo.
    static func askSecretly(_ question: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try ask(question) }
        guard let answer = getpass(question) else { throw Problem(description: "no answer") }
        return String(cString: answer)
    }

    static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
