import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// The time from a program's first statement to the access token of a session in a file, in processes of their own.
struct ColdStart {
    let url: URL
    let directory: String

    private static let starts = 41

    /// Signs in, so that there is a file, and starts this program again and again.
    func measure(email: String, password: String) async throws {
        try await client().signIn(email: email, password: password)
        var times: [Double] = []
        for _ in 0..<Self.starts {
            let process = Process()
            let output = Pipe()
            process.executableURL = Bundle.main.executableURL
            process.arguments = [url.absoluteString, directory, "start"]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard let seconds = Double(text) else { throw CocoaError(.fileReadCorruptFile) }
            times.append(seconds * 1000)
        }
        print(
            "a start with a session in a file: \((median(times) * 100).rounded() / 100) ms to its token "
                + "(median of \(times.count), least \(((times.min() ?? 0) * 100).rounded() / 100))")
    }

    /// Reads the token of the session in the file, and prints the seconds since `watch` began.
    func start(since watch: Stopwatch) async throws {
        _ = try await client().accessToken()
        print(watch.reading.seconds, terminator: "")
    }

    private func client() throws -> AuthClient {
        let store = FileSessionStore(
            directory: directory, contract: Contract.vici.name,
            baseURL: try BaseURL(url.absoluteString, allowsPlainHTTP: true),
            keys: .keyFile(directory: directory))
        return try AuthClient(
            contract: .vici, baseURL: url, options: ClientOptions(store: store, isDevelopment: true))
    }
}
