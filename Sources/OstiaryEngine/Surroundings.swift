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
