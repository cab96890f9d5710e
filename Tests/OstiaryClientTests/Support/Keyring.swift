import Foundation
import OstiaryTestSupport

/// A session bus and a GNOME keyring of a test's own, unlocked. Both end when told so, or when this process does.
final class Keyring {
    private let home: TemporaryDirectory
    private let process: ChildProcess
    /// What a program of that desktop would have.
    private(set) var environment: [String: String]

    private static let programs = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon", "secret-tool"]

    static let isInstalled = programs.allSatisfy { name in
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    struct Problem: Error {
        let text: String
    }

    init() async throws {
        home = try TemporaryDirectory()
        for name in ["data", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(home.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "XDG_DATA_HOME": "\(home.path)/data",
            "XDG_RUNTIME_DIR": "\(home.path)/run",
        ]
        process = try ChildProcess(
            "dbus-run-session",
            [
                "--", "sh", "-c",
                """
                owned() {
                    dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner \
                        string:org.freedesktop.secrets >/dev/null
                }
                while read -r unlock; do
                    if [ -n "$daemon" ]; then kill -9 $daemon; wait $daemon; while owned; do :; done; fi
                    printf password | gnome-keyring-daemon --foreground $unlock --components=secrets >/dev/null &
                    daemon=$!
                    until owned; do kill -0 $daemon || exit 1; done
                    echo "$DBUS_SESSION_BUS_ADDRESS"
                done
                kill -9 $daemon
                """,
            ], environment: environment, isQuiet: true)
        try await start("--unlock")
    }

    /// Starts it anew, as after the next sign-in to the desktop where that did not unlock it.
    func lock() async throws { try await start("") }

    func unlock() async throws { try await start("--unlock") }

    private func start(_ option: String) async throws {
        try process.write(option)
        guard let address = await process.nextLine() else { throw Problem(text: "no session bus, or no keyring on it") }
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
    }

    /// Closes its input, at which it ends.
    func stop() { process.closeInput() }
}
