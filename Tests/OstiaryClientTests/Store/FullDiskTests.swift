#if os(Linux)
import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

/// A file system of a test's own, which can be full or read-only.
private struct SmallDisk {
    let path: String

    /// Only root may mount, and not everywhere.
    static let isPossible: Bool = {
        guard geteuid() == 0, let home = try? TemporaryDirectory(), let disk = try? SmallDisk(home.path) else {
            return false
        }
        disk.unmount()
        return true
    }()

    init(_ path: String) throws {
        guard mount("ostiary-test", path, "tmpfs", UInt(MS_NOSUID), "size=64k,mode=0700") == 0 else {
            throw StoreProblem.system(path: path, code: errno)
        }
        self.path = path
    }

    func makeReadOnly() throws {
        guard mount("ostiary-test", path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0 else {
            throw StoreProblem.system(path: path, code: errno)
        }
    }

    /// Writes until nothing more fits.
    func fill() throws {
        let file = open("\(path)/filler", O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw StoreProblem.system(path: path, code: errno) }
        defer { close(file) }
        let chunk = [UInt8](repeating: 0, count: 1024)
        while write(file, chunk, chunk.count) > 0 {}
    }

    func unmount() { umount(path) }
}

/// A store on it.
private struct DiskStore {
    let disk: SmallDisk
    let directory: String
    let store: FileSessionStore
    private let home: TemporaryDirectory

    init() throws {
        home = try TemporaryDirectory()
        disk = try SmallDisk(home.path)
        directory = "\(home.path)/ostiary"
        store = try StoreHome.store(in: directory, keys: .keyFile(directory: directory))
    }
}

@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct FullDiskTests {
    @Test func `keeps what is stored when the disk is full, and goes on when it is not`() async throws {
        let place = try DiskStore()
        defer { place.disk.unmount() }
        let (disk, store, directory) = (place.disk, place.store, place.directory)
        let saved = try SampleSessions.all
        try await store.change { $0 = saved }

        try disk.fill()
        let draft = "\(directory)/\(store.name).new"
        await #expect(throws: StoreProblem.system(path: draft, code: ENOSPC)) {
            try await store.change { $0.current = nil }
        }
        #expect(await store.read() == .found(saved))
        #expect(!FileManager.default.fileExists(atPath: draft))

        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await store.change { $0.current = nil }
        #expect(await store.read() != .found(saved))
    }

    @Test func `seals nothing with a key that the disk had no room for`() async throws {
        let place = try DiskStore()
        defer { place.disk.unmount() }
        let (disk, store, directory) = (place.disk, place.store, place.directory)
        try disk.fill()
        let saved = try SampleSessions.all
        await #expect(throws: StoreProblem.system(path: "\(directory)/sealing-key.new", code: ENOSPC)) {
            try await store.change { $0 = saved }
        }
        #expect(await store.read() == .absent)
        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await store.change { $0 = saved }
        #expect(await store.read() == .found(saved))
    }

    @Test func `reads what it cannot write`() async throws {
        let place = try DiskStore()
        defer { place.disk.unmount() }
        let (disk, store, directory) = (place.disk, place.store, place.directory)
        let saved = try SampleSessions.all
        try await store.change { $0 = saved }
        try disk.makeReadOnly()
        #expect(await store.read() == .found(saved))
        await #expect(throws: StoreProblem.system(path: "\(directory)/\(store.name).lock", code: EROFS)) {
            try await store.change { $0 = .none }
        }
    }
}
#endif
