import Foundation
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

/// Whose a store's files are, and what it makes of others.
struct StoreRightsTests {
    private let place: StoreHome
    private var store: FileSessionStore { place.store }

    init() throws { place = try StoreHome() }

    @Test func `makes a directory and files for the user alone`() async throws {
        try await place.write()
        let turn = try await store.refreshLease()
        turn.end()
        #expect(try mode(of: "\(place.home.path)/state") == 0o700 && mode(of: place.directory) == 0o700)
        #expect(
            try Set(place.files()) == [
                store.name, "\(store.name).lock", "\(store.name).refresh.lock", "sealing-key", "sealing-key.lock",
            ])
        for file in try place.files() { #expect(try mode(of: "\(place.directory)/\(file)") == 0o600) }
    }

    @Test(arguments: [0o604, 0o640, 0o644, 0o660, 0o666, 0o610])
    func `does not use a file that others have rights to`(_ rights: Int) async throws {
        try await place.write()
        try setMode(rights, of: place.file)
        #expect(await store.read() == .unavailable(.notPrivate(path: place.file)))
        await #expect(throws: StoreProblem.notPrivate(path: place.file)) { try await place.write(SavedSessions.none) }
    }

    @Test func `does not use a key that others have rights to`() async throws {
        try await place.write()
        try setMode(0o640, of: place.keyFile)
        #expect(await (try place.again()).read() == .unavailable(.notPrivate(path: place.keyFile)))
    }

    @Test(arguments: [0o755, 0o701, 0o777])
    func `does not use a directory that others have rights to`(_ rights: Int) async throws {
        try await place.write()
        try setMode(rights, of: place.directory)
        #expect(await store.read() == .unavailable(.notPrivate(path: place.directory)))
        await #expect(throws: StoreProblem.notPrivate(path: place.directory)) { try await place.write() }
        await #expect(throws: StoreProblem.notPrivate(path: place.directory)) { try await store.refreshLease() }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `does not use what belongs to another user`() async throws {
        try await place.write()
        #expect(chown(place.keyFile, 12_345, 12_345) == 0)
        #expect(await (try place.again()).read() == .unavailable(.notPrivate(path: place.keyFile)))
        #expect(chown(place.file, 12_345, 12_345) == 0)
        #expect(await store.read() == .unavailable(.notPrivate(path: place.file)))
        #expect(chown(place.directory, 12_345, 12_345) == 0)
        #expect(await store.read() == .unavailable(.notPrivate(path: place.directory)))
    }

    @Test func `follows no symbolic link to a file`() async throws {
        try await place.write()
        let elsewhere = "\(place.home.path)/elsewhere"
        try FileManager.default.moveItem(atPath: place.file, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: place.file, withDestinationPath: elsewhere)
        #expect(await store.read() == .unavailable(.system(path: place.file, code: ELOOP)))
        await #expect(throws: StoreProblem.system(path: place.file, code: ELOOP)) { try await place.write() }
        #expect(FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test(arguments: [".lock", ".refresh.lock"])
    func `follows no symbolic link to a lock`(_ lock: String) async throws {
        try await place.write()
        let path = place.file + lock
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(place.home.path)/made")
        await #expect(throws: StoreProblem.system(path: path, code: ELOOP)) {
            lock == ".lock" ? try await place.write() : try await store.refreshLease().end()
        }
        #expect(try !place.home.files().contains("made"))
    }

    @Test func `follows no symbolic link to its directory`() async throws {
        try await place.write()
        let elsewhere = "\(place.home.path)/elsewhere"
        try FileManager.default.moveItem(atPath: place.directory, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: place.directory, withDestinationPath: elsewhere)
        guard case .unavailable(.system(place.directory, _)) = await store.read() else {
            Issue.record("it was followed")
            return
        }
    }

    @Test func `does not use a file that has another name as well`() async throws {
        try await place.write()
        try FileManager.default.linkItem(atPath: place.file, toPath: "\(place.home.path)/other")
        #expect(await store.read() == .unavailable(.notPrivate(path: place.file)))
    }

    @Test func `does not wait for what is no file`() async throws {
        try await place.write()
        try FileManager.default.removeItem(atPath: place.file)
        #expect(mkfifo(place.file, 0o600) == 0)
        #expect(await store.read() == .unavailable(.notPrivate(path: place.file)))
    }
}
