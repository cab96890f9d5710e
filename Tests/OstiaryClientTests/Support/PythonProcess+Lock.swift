import OstiaryTestSupport
import Testing

extension PythonProcess {
    /// Another process that holds the lock of that file until it is stopped.
    convenience init(holding path: String) async throws {
        try self.init(
            """
            import fcntl
            file = open(sys.argv[1], "r+")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("locked", flush=True)
            threading.Event().wait()
            """, [path])
        try #require(try await nextLine() == "locked")
    }
}
