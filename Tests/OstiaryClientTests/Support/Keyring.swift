import Foundation

/// A session bus and a GNOME keyring of a test's own, unlocked. Both end when told so, or when this process does.
final class Keyring {
    private let home: TemporaryDirectory
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
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

    init() throws {
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
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            // This thread's blocked signals would be inherited, and the bus could not be ended.
            "python3", "-c",
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])",
            "dbus-run-session", "--", "sh", "-c",
            """
            owned() {
                dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner \
                    string:org.freedesktop.secrets >/dev/null
            }
            while read -r unlock && [ "$unlock" != stop ]; do
                if [ -n "$daemon" ]; then kill -9 $daemon; wait $daemon; while owned; do :; done; fi
                printf password | gnome-keyring-daemon --foreground $unlock --components=secrets >/dev/null &
                daemon=$!
                until owned; do kill -0 $daemon || exit 1; done
                echo "$DBUS_SESSION_BUS_ADDRESS"
            done
            kill -9 $daemon
            """,
        ]
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try start("--unlock")
    }

    /// Starts it anew, as after the next sign-in to the desktop where that did not unlock it.
    func lock() throws { try start("") }

    func unlock() throws { try start("--unlock") }

    private func start(_ option: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(option)\n".utf8))
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard !line.isEmpty else { throw Problem(text: "no session bus, or no keyring on it") }
        environment["DBUS_SESSION_BUS_ADDRESS"] = String(decoding: line, as: UTF8.self)
    }

    func stop() {
        // Closing the input would not do: processes that other tests began meanwhile have inherited it.
        try? input.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
        process.waitUntilExit()
    }
}
