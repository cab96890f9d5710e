import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import Synchronization
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// One file, several stores: in this process and in others.
struct SharedStoreTests {
    private let place: StoreHome
    private var store: FileSessionStore { place.store }

    init() throws { place = try StoreHome() }

    @Test func `waits for another process's change, and is let in when that dies`() async throws {
        try await place.write()
        let other = try await PythonProcess(holding: place.file + ".lock")
        await #expect(throws: StoreProblem.busy) { try await place.write(SavedSessions.none) }
        #expect(await store.read() == .found(try SampleSessions.all))
        await other.stopped()
        try await place.write(SavedSessions.none)
    }

    @Test func `reads while another process changes`() async throws {
        try await place.write()
        let other = try await PythonProcess(holding: place.file + ".lock")
        #expect(await store.read() == .found(try SampleSessions.all))
        await other.stopped()
    }

    @Test func `waits for another process's refresh, and is let in when that dies`() async throws {
        try await store.refreshLease().end()
        let other = try await PythonProcess(holding: place.file + ".refresh.lock")
        await #expect(throws: StoreProblem.busy) { try await store.refreshLease() }
        await other.stopped()
        try await store.refreshLease().end()
    }

    @Test func `changes while another process refreshes`() async throws {
        try await store.refreshLease().end()
        let other = try await PythonProcess(holding: place.file + ".refresh.lock")
        try await place.write()
        #expect(await store.read() == .found(try SampleSessions.all))
        await other.stopped()
    }

    @Test func `gives the turn to one, in this process as well`() async throws {
        let turn = try await store.refreshLease()
        await #expect(throws: StoreProblem.busy) { try await store.refreshLease() }
        await #expect(throws: StoreProblem.busy) { try await (try place.again()).refreshLease() }
        turn.end()
        turn.end()
        try await (try place.again()).refreshLease().end()
    }

    @Test func `ends a turn that nobody holds any more`() async throws {
        _ = try await store.refreshLease()
        try await store.refreshLease().end()
    }

    @Test func `ends the waiting with the task`() async throws {
        let patient = try StoreHome.store(in: place.directory, keys: place.keys, lockWait: .seconds(3600))
        let turn = try await store.refreshLease()
        let waiting = Task { () async throws(StoreProblem) in try await patient.refreshLease() }
        waiting.cancel()
        await #expect(throws: StoreProblem.busy) { try await waiting.value }
        turn.end()
    }

    @Test func `loses no change of two stores in one process`() async throws {
        let stores = try (0..<2).map { _ in try StoreHome.store(in: place.directory, keys: place.keys) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { try await Self.sign(in: stores[task % 2], as: "task-\(task)", rounds: 25) }
            }
            try await group.waitForAll()
        }
        #expect(await Self.ids(in: store) == Self.expected(["task-0", "task-1", "task-2", "task-3"], rounds: 25))
    }

    // MARK: A damaged file

    @Test func `tells every store that has read a file, once, that another has set it aside`() async throws {
        try await place.write()
        let other = try await setAsideByAnother()
        #expect(await store.read() == .unavailable(damaged))
        let stores = [store, other, try place.again()]
        for store in stores { #expect(await store.read() == .absent) }
        try await place.write()
        #expect(await other.read() == .found(try SampleSessions.all))
    }

    @Test func `tells a store that changes a file, once, that another has set it aside`() async throws {
        try await place.write()
        _ = try await setAsideByAnother()
        await #expect(throws: damaged) { try await place.write() }
        try await place.write()
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `takes a sign-out for one although a file was set aside before`() async throws {
        try await place.write()
        let other = try await setAsideByAnother()
        try await other.put(try SampleSessions.all)
        try await other.put(.none)
        #expect(await store.read() == .found(.none))
        #expect(await (try place.again()).read() == .found(.none))
    }

    private var damaged: StoreProblem { .damaged(setAside: "\(place.file).damaged-1") }

    /// Damages the file, and returns the other store that has set it aside.
    private func setAsideByAnother() async throws -> FileSessionStore {
        try place.put("{\"version\":2,".utf8)
        let other = try place.again()
        #expect(await other.read() == .unavailable(damaged))
        return other
    }

    // Exit tests exist where a program may start another.
    #if os(Linux) || os(macOS)
    @Test func `loses no change of two processes in 100 rounds, from the first key on`() async throws {
        let directory = place.directory
        await withTaskGroup(of: Void.self) { group in
            for name in ["one", "two"] {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [directory = directory as String, name = name as String] in
                        let store = try StoreHome.store(in: directory, keys: .keyFile(directory: directory))
                        try await SharedStoreTests.sign(in: store, as: name, rounds: 100)
                    }
                }
            }
        }
        #expect(await Self.ids(in: store) == Self.expected(["one", "two"], rounds: 100))
    }

    @Test func `loses nothing that it acknowledged to a process that is killed at any step`() async throws {
        var random = SeededRandom.announced()
        let directory = place.directory
        let journal = "\(place.home.path)/journal"
        #expect(FileManager.default.createFile(atPath: journal, contents: nil))
        for _ in 0..<12 {
            let microseconds = UInt32.random(in: 0..<20_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    directory = directory as String, journal = journal as String, microseconds = microseconds as UInt32
                ] in
                try await SharedStoreTests.count(in: directory, journal: journal, killedAfter: microseconds)
            }
            let acknowledged = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").last ?? "0"
            guard case .found(let saved) = await store.read(), let session = saved.currentSession else {
                Issue.record("not signed in any more, after \(acknowledged) and \(microseconds) µs")
                return
            }
            let number = session.accessToken.reveal().dropFirst("access-".count)
            #expect(session.refreshToken == Secret("refresh-\(number)"), "half of one session and half of another")
            let lead = try #require(Int(number)) - (try #require(Int(acknowledged)))
            #expect(lead == 0 || lead == 1, "stored \(number), acknowledged \(acknowledged)")
            try Data("\(number)\n".utf8).write(to: URL(fileURLWithPath: journal))
        }
        #expect(try !place.files().contains { $0.contains(".damaged") })
    }
    #endif

    // MARK: In another process

    /// Changes a session again and again, and notes each number once it is stored, until it is killed.
    private static func count(in directory: String, journal: String, killedAfter microseconds: UInt32) async throws {
        let store = try StoreHome.store(in: directory, keys: .keyFile(directory: directory))
        let file = try #require(FileHandle(forWritingAtPath: journal))
        try file.seekToEnd()
        var isArmed = false
        while true {
            let first = try SampleSessions.session(accessToken: "access-0", refreshToken: "refresh-0")
            let number = try await store.change { saved in
                if saved.isEmpty { saved = SavedSessions(sessions: [first], current: first.id) }
                let next = (Int(saved.sessions[0].accessToken.reveal().dropFirst("access-".count)) ?? 0) + 1
                saved.sessions[0].accessToken = Secret("access-\(next)")
                saved.sessions[0].refreshToken = Secret("refresh-\(next)")
                return next
            }
            try file.write(contentsOf: Data("\(number)\n".utf8))
            if !isArmed {
                isArmed = true
                Thread.detachNewThread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }
            }
        }
    }

    /// Adds a session in each round.
    private static func sign(in store: FileSessionStore, as name: String, rounds: Int) async throws {
        for round in 0..<rounds {
            let session = try SampleSessions.session("\(name)-\(round)")
            try await store.change { $0.sessions.append(session) }
        }
    }

    private static func ids(in store: FileSessionStore) async -> Set<String> {
        guard case .found(let saved) = await store.read() else { return [] }
        #expect(Set(saved.sessions.map(\.id)).count == saved.sessions.count)
        return Set(saved.sessions.map(\.id.rawValue))
    }

    private static func expected(_ names: [String], rounds: Int) -> Set<String> {
        Set(names.flatMap { name in (0..<rounds).map { "\(name)-\($0)" } })
    }
}
