import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTestSupport
import Synchronization
import Testing

@testable import OstiaryClient

struct FileRequestQueueStoreTests {
    private let home: TemporaryDirectory
    private let store: FileRequestQueueStore

    init() throws {
        home = try TemporaryDirectory()
        store = FileRequestQueueStore(directory: "\(home.path)/queue", lockWait: .zero)
    }

    private var file: String { "\(home.path)/queue/queue.json" }

    private static func sample() throws -> SavedQueue {
        let first = try #require(UUID(uuidString: "1B671A64-40D5-491E-99B0-DA01FF1F3341"))
        let second = try #require(UUID(uuidString: "6EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B"))
        let unnamed = QueueOwner(
            contract: "vici", baseURL: try BaseURL("http://127.0.0.1:3001/vici"),
            person: .session(ClientSession.ID(rawValue: "s\"1")))
        return SavedQueue(requests: [
            QueuedRequest(
                id: .init(first), owner: try .jo, request: .note("a"),
                queuedAt: Date(timeIntervalSince1970: 1_800_000_000.9)),
            QueuedRequest(
                id: .init(second), owner: unnamed,
                request: WireRequest(method: "DELETE", path: "/b", query: "c=d", body: [0, 255, 10]),
                queuedAt: Date(timeIntervalSince1970: 1_800_000_001)),
        ])
    }

    private var golden: [UInt8] {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            return Array(try Data(contentsOf: folder.appendingPathComponent("Golden/request-queue-1.json")))
        }
    }

    @Test func `writes version 1 to the byte`() throws {
        #expect(String(decoding: try Self.sample().bytes, as: UTF8.self) == String(decoding: try golden, as: UTF8.self))
    }

    @Test func `reads version 1`() throws {
        #expect(try SavedQueue(bytes: golden) == Self.sample())
    }

    @Test func `calls damaged every file that was cut short`() throws {
        let whole = try golden
        // The last byte is the line's end.
        for length in 0..<(whole.count - 1) {
            #expect(throws: SavedQueueProblem.damaged) { try SavedQueue(bytes: Array(whole[..<length])) }
        }
    }

    @Test(arguments: ["\"account_id\"", "\"method\"", "\"base_url\"", "\"id\"", "\"body\"", "\"requests\""])
    func `calls damaged a file that lacks a part`(_ name: String) throws {
        let text = String(decoding: try golden, as: UTF8.self).replacing(name, with: "\"other\"")
        #expect(throws: SavedQueueProblem.damaged) { try SavedQueue(bytes: Array(text.utf8)) }
    }

    @Test func `calls damaged a file in which a request stands twice`() throws {
        let request = try Self.sample().requests[0]
        #expect(throws: SavedQueueProblem.damaged) {
            try SavedQueue(bytes: SavedQueue(requests: [request, request]).bytes)
        }
    }

    @Test func `keeps what it is given, for its user alone`() async throws {
        #expect(try await store.read() == .empty)
        let sample = try Self.sample()
        try await store.change { $0 = sample }
        #expect(try await store.read() == sample)
        #expect(try mode(of: file) == 0o600)
        #expect(try mode(of: "\(home.path)/queue") == 0o700)
    }

    @Test func `writes nothing that has not changed`() async throws {
        try await store.change { _ in }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `sets a damaged file aside, and begins anew`() async throws {
        let sample = try Self.sample()
        try await store.change { $0 = sample }
        try Data("{".utf8).write(to: URL(fileURLWithPath: file))
        try setMode(0o600, of: file)
        await #expect(throws: StoreProblem.damaged(setAside: "\(file).damaged-1")) { try await store.read() }
        #expect(try await store.read() == .empty)
        #expect(try home.files(in: "queue").contains("queue.json.damaged-1"))
    }

    @Test func `leaves alone what a newer version wrote`() async throws {
        let sample = try Self.sample()
        try await store.change { $0 = sample }
        try Data("{\"version\":2}".utf8).write(to: URL(fileURLWithPath: file))
        try setMode(0o600, of: file)
        await #expect(throws: StoreProblem.newerVersion) { try await store.read() }
        await #expect(throws: StoreProblem.newerVersion) { try await store.change { $0 = .empty } }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"version\":2}")
    }

    @Test func `uses no file that others can read`() async throws {
        let sample = try Self.sample()
        try await store.change { $0 = sample }
        try setMode(0o644, of: file)
        await #expect(throws: StoreProblem.notPrivate(path: file)) { try await store.read() }
    }

    @Test func `gives one sender the turn, also within a process`() async throws {
        let turn = try await store.sendLease()
        await #expect(throws: StoreProblem.busy) { try await store.sendLease() }
        turn.end()
        try await store.sendLease().end()
    }

    @Test func `sends nothing while another process does, and all when that one is gone`() async throws {
        let rig = try QueueRig(store)
        try await store.sendLease().end()
        let other = try await PythonProcess(holding: "\(home.path)/queue/queue.sending.lock")
        try await rig.put("a")
        await rig.settle()
        #expect(rig.sending.calls.isEmpty)
        await other.stopped()
        await rig.queue.sendNow()
        #expect(rig.sending.paths == ["/a"])
    }

    @Test func `keeps what was taken in for the next run, in its order`() async throws {
        let before = try QueueRig(store)
        before.sending.answers { _ throws(ClientError) in throw .offline }
        var keys: [String] = []
        for name in ["a", "b", "c"] { keys.append(try await before.put(name).text) }
        await before.settle()
        let after = try QueueRig(FileRequestQueueStore(directory: store.directory))
        await after.queue.sendNow()
        #expect(after.sending.calls.map(\.key) == keys)
    }

    #if os(Linux) || os(macOS)
    @Test(arguments: 0..<8)
    func `has everything that was acknowledged before kill -9, in its order`(_ round: Int) async throws {
        let path = home.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let rig = try QueueRig(
                FileRequestQueueStore(directory: "\(path)/queue"),
                limits: QueueLimits(requests: 10_000, bytes: 1 << 22))
            rig.sending.answers { _ throws(ClientError) in throw .offline }
            let log = open("\(path)/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let counter = AcknowledgementCounter()
            // Another thread kills the process in the midst of what comes after.
            Thread.detachNewThread {
                while counter.count.load(ordering: .relaxed) < 30 {}
                for _ in 0..<(round * 100_000) where counter.count.load(ordering: .relaxed) == 0 { break }
                kill(getpid(), SIGKILL)
            }
            for number in 0..<10_000 {
                try await rig.put("\(number)")
                _ = write(log, ".", 1)
                counter.count.add(1, ordering: .relaxed)
            }
        }
        let acknowledged = try String(contentsOfFile: "\(path)/acknowledged", encoding: .utf8).utf8.count
        let kept = try await store.read().requests.map(\.request.path)
        #expect(acknowledged >= 30)
        #expect(kept == (0..<kept.count).map { "/\($0)" })
        #expect(kept.count == acknowledged || kept.count == acknowledged + 1)
    }
    #endif
}

private final class AcknowledgementCounter: Sendable {
    let count = Atomic(0)
}
