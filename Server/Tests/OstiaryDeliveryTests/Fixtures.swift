import Crypto
import Foundation
import Logging
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import Synchronization

/// A time that tests set.
final class SettableTime: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { date.withLock { $0 } }
    func advance(seconds: Double) { date.withLock { $0 += seconds } }

    /// Random bytes are all the middle, so that a jittered wait is the wait itself, save for ids.
    var surroundings: Surroundings {
        let counter = Mutex(0)
        return Surroundings(now: { self.now }) { count in
            if count < 16 { return [0x80] + Array(repeating: 0, count: count - 1) }
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            return (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }
}

/// A clock on which time passes only when a test says so.
final class SettableClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Swift.Duration = .zero
        func advanced(by duration: Swift.Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Swift.Duration { other.offset - offset }
        static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: (until: Instant, wake: AsyncStream<Void>.Continuation)] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    private let arrivals = AsyncStream<Void>.makeStream()

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Swift.Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let (waiting, wake) = AsyncStream<Void>.makeStream()
        let key: Int? = state.withLock { state in
            guard deadline > state.now else { return nil }
            state.last += 1
            state.sleepers[state.last] = (deadline, wake)
            return state.last
        }
        guard let key else { return }
        arrivals.continuation.yield()
        for await _ in waiting {}
        _ = state.withLock { $0.sleepers.removeValue(forKey: key) }
        try Task.checkCancellation()
    }

    /// Returns once somebody has gone to sleep since the last call.
    func waitForSleeper() async {
        for await _ in arrivals.stream { return }
    }

    func advance(by duration: Swift.Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return state.sleepers.values.filter { $0.until <= state.now }.map(\.wake)
        }
        for wake in due { wake.finish() }
    }
}

/// Everything that was logged, at every level.
final class LogRecord: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(record: self) }
        logger.logLevel = .trace
        return logger
    }

    private func add(_ line: String) { lines.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let record: LogRecord
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            record.add("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
        }
    }
}

extension KeyRing {
    static let test = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))
}

extension AppName {
    static func vici() throws -> AppName { try AppName("vici") }
}

extension Recipient {
    static func email(_ text: String = "ada@example.org") throws -> Recipient { .email(try EmailAddress(text)) }
    static func phone(_ text: String = "+15551234567") throws -> Recipient { .phoneNumber(try PhoneNumber(text)) }
}

extension Notice {
    static func code(_ text: String = "123456", lifetimeSeconds: Int = 300) throws -> Notice {
        .oneTimeCode(try OneTimeCode(text), lifetimeSeconds: lifetimeSeconds)
    }

    static func reset(_ token: String = "resettoken-Ab_1") -> Notice {
        .passwordReset(token: Secret(token), lifetimeSeconds: 3600)
    }
}

extension AppPresentation {
    static func test(_ name: String = "Example", texts: MessageTexts = .english) throws -> AppPresentation {
        guard let base = URL(string: "https://auth.example.com/vici") else { throw URLError(.badURL) }
        return try AppPresentation(displayName: name, linkBase: base, texts: texts)
    }
}
