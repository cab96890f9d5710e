import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

struct FileTokenStoreTests {
    private let home: TemporaryDirectory
    private let store: FileTokenStore
    private let record: SessionRecord
    private var file: String { "\(store.directory)/\(store.name)" }

    init() throws {
        home = try TemporaryDirectory()
        record = try SessionRecordTests.record()
        store = FileTokenStore(
            directory: "\(home.path)/state/ostiary", contract: record.contract, baseURL: record.baseURL,
            lockWait: .milliseconds(100))
    }

    private func write(_ record: SessionRecord? = nil) async throws {
        let locked = try await store.lock()
        defer { locked.unlock() }
        try locked.write(record ?? self.record)
    }

    private func put(_ text: String, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(atPath: store.directory, withIntermediateDirectories: true)
        try setMode(0o700, of: store.directory)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try setMode(mode, of: file)
    }

    @Test func `is absent before anything was stored, and makes nothing by asking`() async throws {
        #expect(await store.read() == .absent)
        #expect(try home.files().isEmpty)
    }

    @Test func `reads what was written`() async throws {
        try await write()
        #expect(await store.read() == .found(record))
    }

    @Test func `makes a directory and files for the user alone`() async throws {
        try await write()
        #expect(try mode(of: "\(home.path)/state") == 0o700 && mode(of: store.directory) == 0o700)
        #expect(try home.files(in: "state/ostiary") == [store.name, "\(store.name).lock"])
        #expect(try mode(of: file) == 0o600 && mode(of: "\(file).lock") == 0o600)
    }

    @Test func `replaces a record as a whole, over what a killed process left`() async throws {
        try await write()
        try Data("half a rec".utf8).write(to: URL(fileURLWithPath: "\(file).new"))
        let other = try SessionRecordTests.record(refreshToken: nil)
        try await write(other)
        #expect(await store.read() == .found(other))
        #expect(try !home.files(in: "state/ostiary").contains("\(store.name).new"))
    }

    @Test func `is absent after clearing, and clears twice without complaint`() async throws {
        try await write()
        let locked = try await store.lock()
        try locked.clear()
        try locked.clear()
        #expect(await store.read() == .absent)
    }

    @Test(arguments: [0o604, 0o640, 0o644, 0o660, 0o666, 0o610])
    func `does not read a file that others have rights to`(_ rights: Int) async throws {
        try await write()
        try setMode(rights, of: file)
        #expect(await store.read() == .unavailable(.notPrivate(path: file)))
    }

    @Test(arguments: [0o755, 0o701, 0o777])
    func `does not use a directory that others have rights to`(_ rights: Int) async throws {
        try await write()
        try setMode(rights, of: store.directory)
        #expect(await store.read() == .unavailable(.notPrivate(path: store.directory)))
        await #expect(throws: TokenStoreProblem.notPrivate(path: store.directory)) { try await write() }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `does not read a file of another user`() async throws {
        try await write()
        #expect(chown(file, 12_345, 12_345) == 0)
        #expect(await store.read() == .unavailable(.notPrivate(path: file)))
    }

    @Test func `follows no symbolic link`() async throws {
        try await write()
        let elsewhere = "\(home.path)/elsewhere"
        try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
        #expect(await store.read() == .unavailable(.system(path: file, code: ELOOP)))
        try await write()
        #expect(try FileManager.default.destinationOfSymbolicLinkOrNil(atPath: file) == nil)
    }

    @Test func `does not read a file that has another name as well`() async throws {
        try await write()
        try FileManager.default.linkItem(atPath: file, toPath: "\(home.path)/other")
        #expect(await store.read() == .unavailable(.notPrivate(path: file)))
    }

    @Test func `does not wait for what is no file`() async throws {
        try await write()
        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        #expect(await store.read() == .unavailable(.notPrivate(path: file)))
    }

    @Test func `sets a damaged record aside and deletes none`() async throws {
        for (number, text) in ["{\"version\":1,", "", "\u{0}\u{0}"].enumerated() {
            try put(text)
            let aside = "\(file).damaged-\(number + 1)"
            #expect(await store.read() == .unavailable(.damaged(setAside: aside)))
            #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
            #expect(await store.read() == .absent)
        }
    }

    @Test func `leaves a record of a newer version where it is`() async throws {
        try put("{\"version\":2}")
        #expect(await store.read() == .unavailable(.newerVersion))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"version\":2}")
    }

    @Test func `sets aside a file that is too long to be a record`() async throws {
        try put(String(repeating: " ", count: 2 << 20))
        #expect(await store.read() == .unavailable(.damaged(setAside: "\(file).damaged-1")))
    }

    @Test func `says which path the system refuses`() async throws {
        try Data().write(to: URL(fileURLWithPath: "\(home.path)/state"))
        let problem = TokenStoreProblem.system(path: "\(home.path)/state/ostiary", code: ENOTDIR)
        #expect(await store.read() == .unavailable(problem))
        await #expect(throws: problem) { try await write() }
    }

    @Test func `keeps the old record where the new one cannot be written`() async throws {
        try await write()
        try FileManager.default.createDirectory(atPath: "\(file).new", withIntermediateDirectories: false)
        await #expect(throws: TokenStoreProblem.system(path: "\(file).new", code: EEXIST)) {
            try await write(SessionRecordTests.record(refreshToken: nil))
        }
        #expect(await store.read() == .found(record))
    }

    // MARK: Lock

    @Test func `has the store to itself until it unlocks`() async throws {
        let locked = try await store.lock()
        await #expect(throws: TokenStoreProblem.busy) { try await store.lock() }
        locked.unlock()
        try await write()
    }

    @Test func `unlocks when nobody holds the lock any more`() async throws {
        _ = try await store.lock()
        try await write()
    }

    @Test func `writes nothing after unlocking`() async throws {
        let locked = try await store.lock()
        locked.unlock()
        #expect(throws: TokenStoreProblem.busy) { try locked.write(record) }
        #expect(throws: TokenStoreProblem.busy) { try locked.clear() }
        #expect(await store.read() == .absent)
    }

    @Test func `reads while another has the store`() async throws {
        try await write()
        let locked = try await store.lock()
        #expect(await store.read() == .found(record))
        locked.unlock()
    }

    @Test func `waits for another process, and is let in when that dies`() async throws {
        try await write()
        let other = try PythonProcess(
            """
            import fcntl
            file = open(sys.argv[1], "r+")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("locked", flush=True)
            threading.Event().wait()
            """, ["\(file).lock"])
        #expect(try other.readLine() == "locked")
        await #expect(throws: TokenStoreProblem.busy) { try await store.lock() }
        other.stop()
        try await write()
    }

    // MARK: Places

    @Test(arguments: [
        (["XDG_STATE_HOME": "/var/state"], "/var/state/ostiary"), ([:], "/home/jo/.local/state/ostiary"),
        (["XDG_STATE_HOME": ""], "/home/jo/.local/state/ostiary"),
        (["XDG_STATE_HOME": "relative"], "/home/jo/.local/state/ostiary"),
    ])
    func `follows the XDG specification`(_ environment: [String: String], _ directory: String) {
        #expect(FileTokenStore.defaultDirectory(environment: environment, homeDirectory: "/home/jo") == directory)
    }

    @Test func `refuses a directory relative to wherever the program runs`() async throws {
        let store = FileTokenStore(directory: "state", contract: "vici", baseURL: record.baseURL)
        await #expect(throws: TokenStoreProblem.system(path: "state", code: EINVAL)) { try await store.lock() }
    }

    @Test func `has a file name of its own for each contract and server`() throws {
        let names = try [
            ("vici", "https://a.example/x"), ("vici", "https://a.example/_x"), ("vici", "https://a.example_x"),
            ("vici", "https://a.example/X"), ("vici", "https://a.example:8443/x"), ("vici", "http://localhost/x"),
            ("clarity", "https://a.example/x"), ("vici", "https://a.example/_2fx"),
        ].map { FileSessionStore.fileName(contract: $0, baseURL: try BaseURL($1)) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") })
        #expect(names[0] == "vici@https_3a_2f_2fa.example_2fx.json")
    }
}

extension FileManager {
    fileprivate func destinationOfSymbolicLinkOrNil(atPath path: String) throws -> String? {
        let isLink = try attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeSymbolicLink
        return isLink ? try destinationOfSymbolicLink(atPath: path) : nil
    }
}
