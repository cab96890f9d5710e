#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The implementation that computes the hashes of a thread, and the number of hashes at once.
struct BcryptPlan: Hashable, Sendable {
    /// The number of hashes that CBcrypt computes at once; zero if libcrypt computes all, one after another.
    let lanes: Int
    /// `true` if libcrypt computes a hash that has its thread to itself.
    let isAloneWithLibcrypt: Bool

    static let libcrypt = BcryptPlan(lanes: 0, isAloneWithLibcrypt: true)

    /// The fastest plan on this machine, which takes some 15 ms to find; nil if CBcrypt fails its self-test.
    static let measured: BcryptPlan? = {
        #if arch(x86_64) || arch(arm64)
        BcryptGroup.passesSelfTest() ? measure() : nil
        #else
        // Not tried there.
        libcrypt
        #endif
    }()

    /// Chooses from the times of the same hash.
    ///
    /// - Parameters:
    ///   - libcrypt: The time of one hash with libcrypt.
    ///   - groups: The times of groups of one, two, … hashes with CBcrypt.
    static func choose(libcrypt: Double, groups: [Double]) -> BcryptPlan {
        let speeds = groups.enumerated().map { Double($0.offset + 1) / $0.element }
        // Within the noise, fewer lanes: each hash then takes less time.
        guard let best = speeds.max(), best > 1 / libcrypt, let alone = groups.first,
            let index = speeds.firstIndex(where: { $0 > best * (1 - noise) })
        else { return .libcrypt }
        return BcryptPlan(lanes: index + 1, isAloneWithLibcrypt: alone > libcrypt * (1 + noise))
    }

    private static let noise = 0.03

    /// Compares both implementations, in turns, by the time that this thread has a core. Others' work counts little then.
    private static func measure() -> BcryptPlan {
        let setting = "$2b$04$CCCCCCCCCCCCCCCCCCCCC."
        let library = Bcrypt()
        guard let group = BcryptGroup() else { return .libcrypt }
        var libcrypt = Double.infinity
        var groups = [Double](repeating: .infinity, count: BcryptGroup.maximumCount)
        for _ in 1...3 {
            libcrypt = min(libcrypt, time { _ = library.hash("", setting: setting) })
            for index in groups.indices {
                let time = time {
                    for number in 0...index { _ = group.start("", setting: setting, number: Int32(number)) }
                    group.advance(rounds: .max)
                    while group.takeComplete() != nil {}
                }
                groups[index] = min(groups[index], time)
            }
        }
        return choose(libcrypt: libcrypt, groups: groups)
    }

    private static func time(_ work: () -> Void) -> Double {
        let start = threadTime()
        work()
        return max(threadTime() - start, .ulpOfOne)
    }

    /// Returns the seconds that the calling thread has had a core.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
