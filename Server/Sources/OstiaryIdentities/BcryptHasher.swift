package import OstiaryCore
package import OstiaryEngine
import Synchronization

/// Hashes an app's passwords with bcrypt, as `$2b$`.
///
/// Every check costs the same time: that of one hash at the app's cost, or at that of the costliest hash that is stored. A
/// stored hash that is damaged, or so costly that it would take seconds, is a mismatch.
package struct BcryptHasher: PasswordHashing {
    /// Costs an app can choose from.
    package static let costs = 10...16

    private let pool: BcryptPool
    private let cost: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let onDamagedHash: @Sendable () -> Void
    /// What every check costs: the setting, or the costliest hash that is stored.
    let commonCost: CommonCost

    /// - Parameters:
    ///   - cost: The base-2 logarithm of the number of rounds, one of ``costs``.
    ///   - onDamagedHash: Called for every stored hash that cannot be checked; somebody should look at the accounts.
    /// - Throws: ``BcryptCostOutOfRange``.
    package init(
        pool: BcryptPool, cost: Int, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        onDamagedHash: @escaping @Sendable () -> Void = {}
    ) throws(BcryptCostOutOfRange) {
        guard Self.costs.contains(cost) else { throw BcryptCostOutOfRange() }
        self.pool = pool
        self.cost = cost
        self.randomBytes = randomBytes
        self.onDamagedHash = onDamagedHash
        commonCost = CommonCost(cost)
    }

    package func expect(_ hash: String) {
        guard let stored = BcryptHash(hash) else { return }
        commonCost.raise(to: stored.cost)
    }

    package func canCheck(_ hash: String) -> Bool { BcryptHash(hash) != nil }

    /// - Throws: ``AuthError/invalid(_:_:)`` for a password with a NUL or of more than 72 bytes, at once;
    ///   ``AuthError/busy(retryAfterSeconds:)``.
    package func hash(_ password: Secret<String>) async throws(AuthError) -> String {
        if let problem = problem(with: password) { throw .invalid(.password, problem) }
        let setting = Bcrypt.setting(cost: cost, salt: randomBytes(16))
        let hash = try await onThread { bcrypt in
            setting.flatMap { bcrypt.hash(password.reveal(), setting: $0) }
        }
        // The pool has tried out libcrypt, so this is none of the refusals a caller could do something about.
        guard let hash else { throw .unavailable(incident: "bcrypt") }
        return hash.text
    }

    package func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        let stored = hash.flatMap(BcryptHash.init)
        if hash != nil, stored == nil { onDamagedHash() }
        let acceptable = problem(with: password) == nil ? password : nil
        let spent = commonCost.value
        return try await onThread { $0.check(acceptable, against: stored, cost: cost, spending: spent) }
    }

    private func problem(with password: Secret<String>) -> FieldProblem? {
        let bytes = password.reveal().utf8
        if bytes.count > BcryptHash.maximumPasswordBytes {
            return .tooLong(maximum: BcryptHash.maximumPasswordBytes)
        }
        return bytes.contains(0) ? .malformed : nil
    }

    /// A caller who gives up leaves the job behind: it runs to its end and nobody hears of it.
    private func onThread<Outcome: Sendable>(
        _ work: @escaping @Sendable (Bcrypt) -> Outcome
    ) async throws(AuthError) -> Outcome {
        let outcome: Outcome? = await withCheckedContinuation { continuation in
            let isTaken = pool.run { continuation.resume(returning: work($0)) }
            if !isTaken { continuation.resume(returning: nil) }
        }
        guard let outcome else { throw .busy(retryAfterSeconds: 1) }
        return outcome
    }
}

/// The cost is none of ``BcryptHasher/costs``.
package struct BcryptCostOutOfRange: Error, CustomStringConvertible {
    package var description: String {
        "the bcrypt cost must be \(BcryptHasher.costs.lowerBound) to \(BcryptHasher.costs.upperBound)"
    }
}

extension Bcrypt {
    /// Takes the time of one hash at the cost `spent`, whatever is given.
    ///
    /// - Parameters:
    ///   - password: Nil for one that cannot have been stored.
    ///   - stored: Nil where there is none to compare with.
    ///   - cost: What a hash made today costs.
    ///   - spent: No less than that, and than any stored hash's cost.
    func check(
        _ password: Secret<String>?, against stored: BcryptHash?, cost: Int, spending spent: Int
    ) -> PasswordMatch {
        guard let password, let stored else {
            spendTime(cost: spent)
            return .differs
        }
        let matches = hash(password.reveal(), setting: stored.text)?.equals(stored) ?? false
        for missing in Self.padding(from: stored.cost, to: spent) { spendTime(cost: missing) }
        guard matches else { return .differs }
        return stored.cost < cost ? .matchesOutdatedHash : .matches
    }

    /// The costs that a cheaper hash is short of: 2^c for the hash itself and 2^c + 2^(c+1) + … + 2^(C−1) more make 2^C.
    static func padding(from cost: Int, to spent: Int) -> Range<Int> { cost..<max(cost, spent) }

    /// Takes as long as a hash of that cost.
    private func spendTime(cost: Int) {
        _ = hash("", setting: "$2b$\(cost < 10 ? "0" : "")\(cost)$CCCCCCCCCCCCCCCCCCCCC.")
    }
}

/// A cost that only grows.
final class CommonCost: Sendable {
    private let cost: Atomic<Int>

    init(_ cost: Int) { self.cost = Atomic(cost) }

    var value: Int { cost.load(ordering: .relaxed) }

    func raise(to other: Int) { cost.max(other, ordering: .relaxed) }
}
