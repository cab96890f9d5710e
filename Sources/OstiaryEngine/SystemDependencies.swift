public import Foundation

/// The engine's system dependencies besides its ports: the clock, randomness and delays.
public struct SystemDependencies: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date
    /// Returns the given number of bytes from the system's random source.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    /// Suspends for a duration. Throws only if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Creates the dependencies from their parts; by default `sleep` is `Task.sleep(for:)`.
    public init(
        now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.sleep = sleep
    }

    /// The system's clock, random source and timers.
    public static let system = SystemDependencies(
        now: { Date() },
        randomBytes: { count in
            // Eight at a time: each number drawn is a system call.
            var generator = SystemRandomNumberGenerator()
            var bytes: [UInt8] = []
            while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
            return Array(bytes.prefix(count))
        })
}

extension SystemDependencies {
    /// Returns a random UUID in lower case. Source: RFC 9562 §5.4.
    public func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(hex)[$0]) }.joined(separator: "-")
    }
}
