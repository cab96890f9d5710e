#if os(Linux)
import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

/// The key in the desktop's secret service: with a program that plays `secret-tool`, and with a real keyring.
struct SecretServiceTests {
    private let home: TemporaryDirectory
    private let path = "/home/jo/.local/state/ostiary/clarity.json"

    init() throws { home = try TemporaryDirectory() }

    /// Runs the file `script` beside the link by which it is called. Not written here: what this process has just written
    /// cannot be run while a neighbour's fork still holds it open (ETXTBSY).
    private static let scriptRunner = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Support/run-script").path

    /// A key source whose `secret-tool` is that shell script.
    private func scripted(_ script: String, deadline: Duration = .seconds(60)) throws -> SecretServiceKey {
        try script.write(toFile: "\(home.path)/script", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(home.path)/secret-tool", withDestinationPath: Self.scriptRunner)
        return SecretServiceKey(
            for: path,
            environment: [
                "PATH": "\(home.path):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
            ], deadline: deadline)
    }

    private func note(_ name: String) throws -> String {
        try String(contentsOfFile: "\(home.path)/\(name)", encoding: .utf8)
    }

    // MARK: A scripted program

    /// Keeps one secret in a file, and notes how it was called.
    private static let keeping = """
        echo "$@" >> "$FOLDER/calls"
        env >> "$FOLDER/calls"
        case "$1" in
        store) cat > "$FOLDER/secret" ;;
        search) [ -f "$FOLDER/secret" ] && printf '[/1]\\nlabel = x\\nsecret = %s\\ncreated = now\\n' "$(cat "$FOLDER/secret")" ;;
        esac
        exit 0
        """

    @Test func `hands the key over where no other process sees it`() async throws {
        let source = try scripted(Self.keeping)
        #expect(try await source.key() == nil)
        let key = try await source.makeKey()
        #expect(try await source.key()?.id == key.id)
        #expect(try note("secret") == key.text.reveal())
        let calls = try note("calls")
        #expect(calls.contains("store --label=Sessions in \(path) application ostiary store \(path)\n"))
        #expect(calls.contains("search application ostiary store \(path)\n"))
        #expect(!calls.contains(key.text.reveal()) && !calls.contains("canary"))
    }

    @Test(arguments: [
        ("printf '[/1]\\nlabel = x\\ncreated = now\\n'", SealingKeyProblem.locked), ("exit 1", .unreachable),
        ("kill -9 $$", .unreachable), ("printf '[/1]\\nsecret = hello\\n'", .malformed),
        ("printf '[/1]\\nsecret = \\n'", .malformed), ("exec yes", .unreachable),
    ])
    func `tells what it is about the key`(_ script: String, _ problem: SealingKeyProblem) async throws {
        let source = try scripted(script)
        await #expect(throws: StoreProblem.sealingKey(problem, source: "secret-service")) { try await source.key() }
    }

    @Test func `does not rely on a key that was not kept`() async throws {
        let source = try scripted("exit 0")
        await #expect(throws: StoreProblem.sealingKey(.unreachable, source: "secret-service")) {
            try await source.makeKey()
        }
    }

    /// Notes its process id and never ends.
    private static let hanging =
        "echo $$ > \"$FOLDER/pid.new\"; mv \"$FOLDER/pid.new\" \"$FOLDER/pid\"; exec sleep 100000"

    @Test func `kills a program that does not end`() async throws {
        let source = try scripted(Self.hanging, deadline: .seconds(2))
        await #expect(throws: StoreProblem.sealingKey(.unreachable, source: "secret-service")) {
            try await source.key()
        }
        let process = try #require(pid_t(try note("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func `kills the program when the task is cancelled`() async throws {
        let source = try scripted(Self.hanging)
        let task = Task { () async throws(StoreProblem) in try await source.key() }
        while !FileManager.default.fileExists(atPath: "\(home.path)/pid") { await Task.yield() }
        task.cancel()
        await #expect(throws: StoreProblem.busy) { try await task.value }
        let process = try #require(pid_t(try note("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test(arguments: [
        ["PATH": "/usr/bin:/bin"], ["PATH": "/usr/bin", "XDG_RUNTIME_DIR": "/nowhere"],
        ["PATH": "/usr/bin", "DBUS_SESSION_BUS_ADDRESS": ""], ["PATH": "relative", "DBUS_SESSION_BUS_ADDRESS": "x"],
        ["PATH": "/nowhere", "DBUS_SESSION_BUS_ADDRESS": "x"],
    ])
    func `asks nobody where there is no session bus or no program`(_ environment: [String: String]) async throws {
        let source = SecretServiceKey(for: path, environment: environment)
        await #expect(throws: StoreProblem.sealingKey(.unreachable, source: "secret-service")) {
            try await source.key()
        }
    }

    // MARK: A real keyring

    @Test(.enabled(if: Keyring.isInstalled, "needs dbus, gnome-keyring and libsecret-tools"))
    func `keeps its key in a real keyring, for each store one`() async throws {
        let keyring = try await Keyring()
        defer { keyring.stop() }
        let source = SecretServiceKey(for: path, environment: keyring.environment)
        #expect(try await source.key() == nil)
        let key = try await source.makeKey()
        #expect(try await source.key()?.id == key.id)
        let other = SecretServiceKey(for: "\(path).other", environment: keyring.environment)
        #expect(try await other.key() == nil)
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs dbus, gnome-keyring and libsecret-tools"))
    func `is unavailable while a real keyring is locked, and found when it is unlocked`() async throws {
        let keyring = try await Keyring()
        defer { keyring.stop() }
        let place = try StoreHome(keys: .automatic(environment: keyring.environment))
        try await place.write()
        #expect(try !place.files().contains(KeyFile.fileName))

        try await keyring.lock()
        let problem = StoreProblem.sealingKey(.locked, source: "secret-service")
        #expect(await (try place.again()).read() == .unavailable(problem))
        await #expect(throws: problem) { try await place.again().change { $0 = .none } }
        // What has the key already goes on.
        try await place.store.change { _ = $0.sessions.removeLast() }

        try await keyring.unlock()
        guard case .found(let saved) = await (try place.again()).read() else {
            Issue.record("not found")
            return
        }
        #expect(saved.sessions == [try SampleSessions.all.sessions[0]])
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs dbus, gnome-keyring and libsecret-tools"))
    func `takes the key file where a real keyring is locked from the start`() async throws {
        let keyring = try await Keyring()
        defer { keyring.stop() }
        try await keyring.lock()
        let place = try StoreHome(keys: .automatic(environment: keyring.environment))
        try await place.write()
        #expect(try place.files().contains(KeyFile.fileName))
        try await keyring.unlock()
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }
}
#endif
