import Foundation

/// The person in front of the program, or the file that is given to it instead.
enum Terminal {
    static func ask(_ question: String) throws -> String {
        FileHandle.standardError.write(Data(question.utf8))
        guard let answer = readLine() else { throw Problem(description: "no answer") }
        return answer
    }

    /// Asks for what nobody is to read over a shoulder.
    static func askSecretly(_ question: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try ask(question) }
        guard let answer = getpass(question) else { throw Problem(description: "no answer") }
        return String(cString: answer)
    }

    static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
