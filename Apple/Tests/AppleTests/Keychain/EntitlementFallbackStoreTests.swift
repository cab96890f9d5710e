import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import Security
import Testing

@testable import OstiaryClient

struct EntitlementFallbackStoreTests {
    private let place = KeychainPlace()
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    private let lines = Shared<[ClientLog.Line]>([])

    private var file: FileSessionStore {
        get throws {
            FileSessionStore(
                directory: directory, contract: SampleSessions.contract, baseURL: try SampleSessions.baseURL,
                keys: .keyFile(directory: directory))
        }
    }

    /// The store that a new run of the program has.
    private func nextRun() throws -> EntitlementFallbackStore {
        EntitlementFallbackStore(
            keychain: try place.again(), file: try file,
            log: ClientLog(from: .debug) { [lines] line in lines.change { $0.append(line) } })
    }

    private func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }

    @Test func `a program without the entitlement keeps its sessions between runs`() async throws {
        defer { removeDirectory() }
        place.shim.hasNoEntitlement = true
        let first = try nextRun()
        #expect(await first.read() == .absent)
        try await first.put(try SampleSessions.all)

        #expect(await (try nextRun()).read() == .found(try SampleSessions.all))
        #expect(place.shim.count == 0)
    }

    @Test func `says so once a run`() async throws {
        defer { removeDirectory() }
        place.shim.hasNoEntitlement = true
        let store = try nextRun()
        for _ in 1...3 { _ = await store.read() }
        try await store.put(try SampleSessions.all)

        #expect(lines.value.map(\.category) == [.store])
        #expect(lines.value.map(\.level) == [.notice])
        for words in ["keychain-access-groups", "sealed file"] {
            #expect(lines.value.allSatisfy { $0.text.contains(words) })
        }
    }

    @Test func `shares the right to refresh with other processes on the file`() async throws {
        defer { removeDirectory() }
        place.shim.hasNoEntitlement = true
        let turn = try await nextRun().refreshLease()
        let impatient = FileSessionStore(
            directory: directory, contract: SampleSessions.contract, baseURL: try SampleSessions.baseURL,
            keys: .keyFile(directory: directory), lockWait: .milliseconds(1))
        await #expect(throws: StoreProblem.busy) { try await impatient.refreshLease() }
        turn.end()
    }

    @Test func `a signed program uses the keychain and makes no file`() async throws {
        defer { removeDirectory() }
        let store = try nextRun()
        try await store.put(try SampleSessions.all)

        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
        #expect(!FileManager.default.fileExists(atPath: directory))
        #expect(lines.value.isEmpty)
    }

    @Test func `a locked keychain is waited for, not replaced`() async throws {
        defer { removeDirectory() }
        try await place.again().put(try SampleSessions.all)
        place.shim.lock = .beforeFirstUnlock
        let store = try nextRun()
        #expect(await store.read() == .unavailable(.keychain(status: errSecInteractionNotAllowed)))
        place.shim.lock = .unlocked

        #expect(await store.read() == .found(try SampleSessions.all))
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    /// On iOS every app has the entitlement, so such a refusal is transient there.
    @Test func `is what a client uses on macOS, and there alone`() throws {
        let store = AuthClient.defaultStore(.clarity, try SampleSessions.baseURL, .silent)
        #if canImport(AppKit)
        #expect(store is EntitlementFallbackStore)
        #else
        #expect(store is KeychainSessionStore)
        #endif
    }
}
