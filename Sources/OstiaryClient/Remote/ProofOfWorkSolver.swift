import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Computes the answers that a server asks for, off the main actor.
enum ProofOfWorkSolver {
    /// The greatest number of bits that is computed: 2^22 hashes take a phone a few seconds. A server cannot make a device
    /// compute more.
    static let maximumBits = 22
    /// The number of hashes after which other tasks run, and a cancellation is noticed.
    private static let hashesBetweenYields: UInt64 = 2_048
    /// The expected number of hashes is exceeded by this factor once in e^16 computations.
    private static let patience: UInt64 = 16

    /// Returns the solution of a computation; nil if it is too long, has none within reach, or the task is cancelled.
    static func solve(_ work: ProofOfWork) async -> ProofOfWorkSolution? {
        guard (0...maximumBits).contains(work.bits) else { return nil }
        var begun = SHA256()
        begun.update(data: Data("\(work.challenge):".utf8))
        for counter in 0..<(patience << UInt64(work.bits)) {
            if counter % hashesBetweenYields == 0 {
                if Task.isCancelled { return nil }
                await Task.yield()
            }
            var hash = begun
            hash.update(data: Data(String(counter).utf8))
            if ProofOfWork.leadingZeroBits(of: hash.finalize()) >= work.bits {
                return ProofOfWorkSolution(challenge: work.challenge, counter: counter)
            }
        }
        return nil
    }
}
