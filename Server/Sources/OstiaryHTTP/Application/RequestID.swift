import Synchronization

/// The id of one request, in its log line and in its response.
enum RequestID {
    private static let count = Atomic<Int>(0)

    /// Returns a proxy's id if it is 8 to 64 plain characters, else a new one.
    static func make(offered: String?) -> String {
        if let offered, (8...64).contains(offered.utf8.count),
            offered.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            })
        {
            return offered
        }
        // A hash with the process's random key: it discloses as little as a random number, without its system call.
        var hasher = Hasher()
        hasher.combine(count.wrappingAdd(1, ordering: .relaxed).newValue)
        let digits = String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
