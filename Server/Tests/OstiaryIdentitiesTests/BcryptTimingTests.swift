import Foundation
import OstiaryCore
import Testing

@testable import OstiaryIdentities

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct BcryptTimingTests {
    /// A wrong password against hashes of every cost up to the setting's, and what no account or no such password costs.
    @Test func `nobody's hash takes longer or shorter than an unknown account`() throws {
        let bcrypt = Bcrypt()
        let unknown = try seconds { _ = bcrypt.check(Secret("password"), against: nil, cost: 10) }
        let unacceptable = try seconds {
            _ = bcrypt.check(nil, against: BcryptHash(hash(cost: "10")), cost: 10)
        }
        #expect((0.9...1.1).contains(unacceptable / unknown))
        for cost in ["04", "05", "08", "09", "10"] {
            let stored = try #require(BcryptHash(hash(cost: cost)))
            let known = try seconds { _ = bcrypt.check(Secret("password"), against: stored, cost: 10) }
            #expect((0.9...1.1).contains(known / unknown), "cost \(cost): \(known) s, unknown: \(unknown) s")
        }
    }

    private func hash(cost: String) -> String { "$2a$\(cost)$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW" }

    /// The shortest of seven runs, in seconds of this thread's processor time: other work on the machine does not count.
    private func seconds(_ work: () -> Void) throws -> Double {
        let runs = (0..<7).map { _ in
            let start = processorSeconds()
            work()
            return processorSeconds() - start
        }
        return try #require(runs.min())
    }

    private func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
