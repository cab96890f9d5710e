import Dispatch
import Foundation
import OstiaryCore
import OstiaryEngine

/// Asks for passwords: on a terminal without echo, or as the one line of standard input. Never an argument, which every
/// process of the machine can read and shells keep in their history.
enum PasswordPrompt {
    private static let maximumBytes = 4096

    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Parameters:
    ///   - what: The secret, for messages.
    ///   - option: The option that passes it without a terminal.
    /// - Returns: Nil if nothing was typed.
    /// - Throws: ``AdministrationProblem`` if there is no terminal, or if the two answers differ.
    static func askTwice(
        _ question: String, _ what: String = "password", option: String = "--password-stdin"
    ) throws -> Secret<String>? {
        try requireTerminal(for: what, option: option)
        let first = try ask(question)
        guard !first.reveal().isEmpty else { return nil }
        guard try ask("Once more") == first else { throw AdministrationProblem("the two \(what)s differ") }
        return first
    }

    static func requireTerminal(for what: String, option: String) throws(AdministrationProblem) {
        guard canAsk else {
            throw AdministrationProblem("there is no terminal to ask on: pass the \(what) with \(option)")
        }
    }

    /// Reads all of standard input, without the line's end.
    ///
    /// - Parameter what: The secret, for messages.
    static func readStandardInput(_ what: String = "password") throws -> Secret<String> {
        if canAsk { return try ask(what.capitalized) }
        return try readLine(of: .standardInput, named: "standard input", what)
    }

    /// Reads all of a file, without the line's end.
    static func readFile(_ path: String, _ what: String) throws -> Secret<String> {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw AdministrationProblem("\(path) cannot be read")
        }
        defer { try? file.close() }
        return try readLine(of: file, named: path, what)
    }

    private static func readLine(of file: FileHandle, named name: String, _ what: String) throws -> Secret<String> {
        var bytes: [UInt8] = []
        do {
            while let data = try file.read(upToCount: maximumBytes), !data.isEmpty {
                bytes += data
                guard bytes.count <= maximumBytes else { throw AdministrationProblem("the \(what) is too long") }
            }
        } catch let problem as AdministrationProblem {
            throw problem
        } catch {
            throw AdministrationProblem("\(name) cannot be read")
        }
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw AdministrationProblem("\(name) holds no \(what)") }
        guard !bytes.contains(0x0A), let text = String(validating: bytes, as: UTF8.self) else {
            throw AdministrationProblem("\(name) must hold one line of UTF-8: the \(what)")
        }
        return Secret(text)
    }

    static func ask(_ question: String) throws -> Secret<String> {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw AdministrationProblem("the terminal's echo cannot be turned off")
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // A signal that ends the program must not leave the terminal without echo.
        let watch = restoring(shown)
        defer { watch.forEach { $0.stop() } }
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw AdministrationProblem("the terminal's echo cannot be turned off")
        }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        prompt("\(question): ")
        defer { prompt("\n") }
        return Secret(try readLine())
    }

    /// Reads one line from the terminal.
    private static func readLine() throws -> String {
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { throw AdministrationProblem("no password was typed") }
        var line = bytes.prefix(count)
        if line.last == 0x0A { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw AdministrationProblem("the password must be UTF-8")
        }
        return text
    }

    private static func restoring(_ state: termios) -> [SignalWatch] {
        let ending = [SIGINT, SIGTERM, SIGHUP].map { number in
            SignalWatch(number) {
                var state = state
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &state)
                printError("")
                _exit(128 + number)
            }
        }
        return ending + [SignalWatch(SIGTSTP) {}]
    }

    /// A replacement of a signal's default action, until stopped.
    private struct SignalWatch {
        private let number: Int32
        private let source: any DispatchSourceSignal

        init(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
            self.number = number
            signal(number, SIG_IGN)
            source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            // Until the source is registered, which another thread does, the signal would be lost.
            let isRegistered = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isRegistered.signal() }
            source.resume()
            isRegistered.wait()
        }

        func stop() {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
