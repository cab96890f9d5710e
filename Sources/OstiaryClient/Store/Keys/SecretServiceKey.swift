#if os(Linux)
import Foundation
import OstiaryCore

/// A key that the desktop's secret service (GNOME Keyring, KWallet, KeePassXC) keeps, one for each store's file.
///
/// Asked through `secret-tool`, the program of libsecret, so that apps link neither that nor D-Bus.
///
/// Source: freedesktop.org Secret Service API 0.2.
struct SecretServiceKey: SealingKeySource {
    let name = "secret-service"
    private let attributes: [String]
    private let label: String
    private let environment: [String: String]
    /// For one question. Long enough for a person to type a password.
    private let deadline: Duration

    /// What finds the program, the bus and the person. The rest of an environment may hold secrets.
    private static let variables: Set<String> = [
        "PATH", "HOME", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// - Parameter path: The store's file.
    init(for path: String, environment: [String: String], deadline: Duration = .seconds(15)) {
        attributes = ["application", "ostiary", "store", path]
        label = "Sessions in \(path)"
        self.environment = environment.filter { Self.variables.contains($0.key) }
        self.deadline = deadline
    }

    /// Asks without unlocking anything: a program that reads its store must not bring up a window.
    func key() async throws(StoreProblem) -> SealingKey? {
        let answer = try await run(["search"] + attributes)
        guard answer.hasSucceeded else { throw .sealingKey(.unreachable, source: name) }
        let lines = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
        if lines.isEmpty { return nil }
        let prefix = "secret = "
        guard let line = lines.first(where: { $0.hasPrefix(prefix) }) else {
            throw .sealingKey(.locked, source: name)
        }
        guard let key = SealingKey(text: String(line.dropFirst(prefix.count))) else {
            throw .sealingKey(.malformed, source: name)
        }
        return key
    }

    /// The desktop may ask its person to unlock it.
    func makeKey() async throws(StoreProblem) -> SealingKey {
        let key = SealingKey()
        let answer = try await run(
            ["store", "--label=\(label)"] + attributes, input: Array(key.text.reveal().utf8))
        // What it does not give back would be lost with everything that was sealed by it.
        guard answer.hasSucceeded, let kept = try await self.key() else {
            throw .sealingKey(.unreachable, source: name)
        }
        return kept
    }

    private func run(_ arguments: [String], input: [UInt8] = []) async throws(StoreProblem) -> ProgramRun {
        guard hasSessionBus, let program = ProgramRun.find("secret-tool", in: environment) else {
            throw .sealingKey(.unreachable, source: name)
        }
        guard
            let run = await ProgramRun(
                program, arguments, input: input, environment: environment, within: deadline)
        else { throw Task.isCancelled ? .busy : .sealingKey(.unreachable, source: name) }
        return run
    }

    /// Where there is none, the program would try to start one.
    private var hasSessionBus: Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return false }
        return access("\(directory)/bus", F_OK) == 0
    }
}
#endif
