import Foundation
import OstiaryCore

/// An attempt that was counted and has not succeeded yet.
struct CountedAttempt: Sendable {
    /// The bucket of the caller's network.
    var address: AttemptBucket?
    /// Every bucket it was counted against.
    var buckets: [AttemptBucket] = []
    /// The counts that a success reverts.
    var forgiveness = CountReversal()
    /// The counter that ends the guesses of unrecognized callers, and the consecutive failures at which it does; nil for
    /// others.
    var limitedFailures: (key: String, failures: Int)?
    /// The caller as the account knew it before the attempt; nil for an attempt that is no guess at a password.
    var recognized: RecognizedCaller?
    /// The sign-in, if the account does not recognize the caller.
    var unrecognized: AuthEngine.UnrecognizedSignIn?
}

extension AuthEngine {
    /// Counts an attempt, in one commit, before any lookup.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/proofOfWorkRequired(_:retryAfterSeconds:)``.
    func count(_ attempts: Attempts) async throws -> CountedAttempt {
        let address = addressBucket(attempts.kind)
        if attempts.kind == .signIn, let identifier = attempts.identifier {
            let subject = try await guessSubject(of: identifier)
            let recognized = try await recognizedCaller(of: subject)
            let unrecognized = try await unrecognizedSignIn(attempts, by: recognized)
            var counted = try await countGuess(at: subject, by: recognized, alsoAgainst: address)
            counted.recognized = recognized
            counted.unrecognized = unrecognized
            return counted
        }
        var buckets = [address].compactMap(\.self)
        // Guesses at codes are counted once the code they are at is known.
        if attempts.kind != .codeCheck, let identifier = attempts.identifier {
            buckets += identifierBuckets(attempts.kind, identifier.canonical)
        }
        if attempts.kind.isDurable {
            try await count(buckets)
        } else if let wait = ports.inMemoryRateLimiter.count(buckets, at: ports.system.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
        var counted = CountedAttempt(address: address, buckets: buckets)
        // Only failures use up a network's sign-ins and code checks: many people share one network. Every other kind
        // has a cost even if it succeeds.
        if let address, attempts.kind.isGuess { counted.forgiveness.refunded = [address] }
        return counted
    }

    /// Refunds a failed attempt that was not judged wrong.
    func refund(_ counted: CountedAttempt, after error: any Error) async {
        // Any other error becomes this one: see ``refusal(for:)``.
        let refusal = error as? AuthError ?? (error as? Refused)?.refusal ?? .unavailable(incident: nil)
        await refund(counted, refusedWith: refusal)
    }

    /// Refunds a refused attempt that was not judged wrong.
    func refund(_ counted: CountedAttempt, refusedWith refusal: AuthError) async {
        let buckets: [AttemptBucket]
        switch refusal {
        // Nothing was judged: the server or the upstream provider was too busy or unavailable.
        case .busy, .unavailable, .useDPoPNonce, .dpopRequired: buckets = counted.buckets
        // The network's count remains: a forged proof costs the verification of a signature.
        case .invalidDPoPProof: buckets = counted.buckets.filter { $0.key != counted.address?.key }
        // The password was right. Its count against the account remains until the next step is answered, so a known
        // password grants no guesses at the second factor.
        case .challengeRequired: buckets = [counted.address].compactMap(\.self)
        default: return
        }
        // A store that fails here has failed before, which was reported; the count then remains.
        try? await forgive(CountReversal(refunded: buckets))
    }

    /// Counts against buckets of the store.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    func count(_ buckets: [AttemptBucket]) async throws {
        guard !buckets.isEmpty else { return }
        if let wait = try await ports.store.count(buckets, at: ports.system.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    func forgive(_ forgiveness: CountReversal) async throws {
        guard !forgiveness.isEmpty else { return }
        try await ports.store.forgive(forgiveness, at: ports.system.now())
    }

    func addressBucket(_ kind: AttemptKind) -> AttemptBucket? {
        guard let network = caller.network, let limit = app.limits.perAddress[kind] else { return nil }
        return AttemptBucket(key: key(kind, "address", network), limit: limit)
    }

    /// Returns the buckets of an identifier. The limit holds for the identifier from one network, and ten times as much
    /// from all networks together: a caller who uses up an owner's attempts uses up those of one network.
    func identifierBuckets(_ kind: AttemptKind, _ name: String, as whose: String = "identifier") -> [AttemptBucket] {
        guard let limit = app.limits.perIdentifier[kind] else { return [] }
        guard kind.isDurable, let network = caller.network else {
            return [AttemptBucket(key: key(kind, whose, name), limit: limit)]
        }
        let wide = RateLimit(attempts: limit.attempts * 10, perSeconds: limit.seconds)
        return [
            AttemptBucket(key: key(kind, "\(whose)-at-\(network)", name), limit: limit),
            AttemptBucket(key: key(kind, whose, name), limit: wide),
        ]
    }

    /// Counts an attempt that is limited only to resist floods against an account or a session, in memory.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    func countFlood(_ kind: AttemptKind, _ whose: String, _ name: String) throws(AuthError) {
        guard let limit = app.limits.perIdentifier[kind] else { return }
        let bucket = AttemptBucket(key: key(kind, whose, name), limit: limit)
        if let wait = ports.inMemoryRateLimiter.count([bucket], at: ports.system.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    /// Returns a bucket that allows one message to a recipient in `seconds`; `nil` if `seconds` is 0.
    func cooldown(_ name: String, _ recipient: String, seconds: Int) -> AttemptBucket? {
        guard seconds > 0 else { return nil }
        return AttemptBucket(
            key: storedKey([AttemptKind.other.rawValue, "cooldown-\(name)", recipient], app: app.name),
            limit: RateLimit(attempts: 1, perSeconds: seconds))
    }

    func key(_ kind: AttemptKind, _ whose: String, _ name: String) -> String {
        if kind.isDurable { return storedKey([kind.rawValue, whose, name], app: app.name) }
        // Keys of kinds counted in memory are not hashed: they are never stored. Every request makes one: an interpolation
        // would cost several times as much.
        var key = app.name.text
        for part in [kind.rawValue, whose, name] {
            key += "/"
            key += part
        }
        return key
    }

    /// Returns the key of a bucket that all apps of the server share.
    func sharedKey(_ whose: String, _ name: String) -> String { storedKey(["shared", whose, name], app: nil) }

    private func storedKey(_ parts: [String], app: AppName?) -> String {
        ports.keys.attemptKey(parts, app: app)
    }
}
