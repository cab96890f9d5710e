#if os(Linux)
import Foundation
import OstiaryCore

/// A key in the desktop's secret service (GNOME Keyring, KWallet, KeePassXC), one for each store's file.
///
/// Accessed through `secret-tool`, the program of libsecret, so that apps link neither libsecret nor D-Bus.
///
/// Source: freedesktop.org Secret Service API 0.2.
struct SecretServiceKey: SealingKeySource {
    let name = "secret-service"
    private let attributes: [String]
    private let label: String
    private let environment: [String: String]
    /// The time limit of one run of the program, long enough for a person to type a password.
    private let deadline: Duration

    /// The variables that locate the program, the bus and the user. Others are not passed on, as they may hold secrets.
    private static let variables: Set<String> = [
        "PATH", "HOME", "LANG", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// Creates the source of a store's key.
    ///
    /// - Parameter path: The path of the store's file.
    init(for path: String, environment: [String: String], deadline: Duration = .seconds(15)) {
        attributes = ["application", "ostiary", "store", path]
        label = "Sessions in \(path)"
        self.environment = environment.filter { Self.variables.contains($0.key) }
        self.deadline = deadline
    }

    /// Looks the key up without unlocking the service: reading a store must not open a window.
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

    /// Creates and stores a key. The desktop may prompt its user to unlock the service.
    func makeKey() async throws(StoreProblem) -> SealingKey {
        let key = SealingKey()
        let answer = try await run(
            ["store", "--label=\(label)"] + attributes, input: Array(key.text.reveal().utf8))
        // Read back: if the service did not return the key, everything sealed with it would be lost.
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

    /// `true` if there is a session bus. Without one, the program would try to start one.
    private var hasSessionBus: Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return false }
        return access("\(directory)/bus", F_OK) == 0
    }
}
#endif
