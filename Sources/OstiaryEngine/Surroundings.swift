public import Foundation

/// What the engine takes from the world besides its ports: the time and randomness.
public struct Surroundings: Sendable {
    public var now: @Sendable () -> Date
    /// So many bytes from the system's random source.
    public var randomBytes: @Sendable (Int) -> [UInt8]

    /// Waits. Throws only if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    public init(
        now: @escaping @Sendable () -> Date, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.sleep = sleep
    }

    public static let system = Surroundings(
        now: { Date() },
        randomBytes: { count in
            // Eight at a time: each number drawn is a call of the system.
            var generator = SystemRandomNumberGenerator()
            var bytes: [UInt8] = []
            while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
            return Array(bytes.prefix(count))
        })
}

extension Surroundings {
    /// A random UUID in lower case. Source: RFC 9562 §5.4.
    public func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(Array(hex)[$0]) }.joined(separator: "-")
    }
}
