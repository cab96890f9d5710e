import Foundation
import OstiaryCore

/// Judges guesses at a one-time code: see decision 31.
///
/// Tries and limits are separate for callers who present the code session, for the network that requested or proved the
/// code, and for all others, so an unauthenticated caller who guesses wrong does not block the owner's code.
extension AuthEngine {
    private static let codeSessionBytes = (nonce: 16, tag: 8)

    /// The class of a caller who presents a code without its session.
    private enum Claim: String {
        /// From a network that presented the code with its session.
        case proved
        /// From the network that requested the code.
        case asked
        case other
    }

    /// Returns the live code that was sent to `number`, if `code` is equal to it.
    ///
    /// The try is taken in a commit of its own before any comparison, so concurrent guesses cannot exceed the limit; a
    /// right guess gets its try back.
    ///
    /// - Throws: ``AuthError/codeRefused``; ``AuthError/tooManyAttempts(retryAfterSeconds:)`` if too many guesses at
    ///   the number's codes were judged.
    func check(_ code: OneTimeCode, sentTo number: PhoneNumber, codeSession: String?) async throws -> PendingCode {
        guard let codeSession else { return try await checkWithoutSession(code, sentTo: number) }
        let pending = try await ports.store.takeTry(
            recipient: recipientKey(number.e164), id: codeSession, in: app.name, at: ports.system.now())
        guard let pending else { throw AuthError.codeRefused }
        let buckets = identifierBuckets(.codeCheck, number.e164, as: "session")
        do { try await count(buckets) } catch {
            try await ports.store.giveTryBack(pending.id, in: app.name)
            throw error
        }
        guard constantTimeEqual(hash(code, id: pending.id), pending.codeHash) else { throw AuthError.codeRefused }
        try await ports.store.giveTryBack(pending.id, in: app.name)
        // The following operations present no session: from this network they have tries of their own.
        try await forgive(CountReversal(refunded: buckets, network: provingNetwork(of: pending)))
        return pending
    }

    private func checkWithoutSession(_ code: OneTimeCode, sentTo number: PhoneNumber) async throws -> PendingCode {
        let now = ports.system.now()
        let pending = try await ports.store.code(for: recipientKey(number.e164), in: app.name, at: now)
        guard let pending else { throw AuthError.codeRefused }
        let claim = try await claim(on: pending)
        let tries = tries(at: pending, claim)
        guard try await ports.store.count([tries], at: now) == nil else { throw AuthError.codeRefused }
        let buckets = identifierBuckets(.codeCheck, number.e164, as: claim == .proved ? "session" : "identifier")
        do { try await count(buckets) } catch {
            try await forgive(CountReversal(refunded: [tries]))
            throw error
        }
        guard constantTimeEqual(hash(code, id: pending.id), pending.codeHash) else { throw AuthError.codeRefused }
        try await forgive(CountReversal(refunded: buckets + [tries]))
        return pending
    }

    /// Returns the bucket of a code's tries for one class of callers. No try is refilled while the code lives.
    private func tries(at pending: PendingCode, _ claim: Claim) -> AttemptBucket {
        let policy = app.codes
        let lifetimes = policy.tries.multipliedReportingOverflow(by: 2)
        let seconds = lifetimes.partialValue.multipliedReportingOverflow(by: policy.lifetimeSeconds)
        let place = claim == .proved ? "\(claim.rawValue)-at-\(caller.network ?? "")" : claim.rawValue
        return AttemptBucket(
            key: key(.codeCheck, "tries-\(place)", pending.id),
            limit: RateLimit(
                attempts: policy.tries, perSeconds: lifetimes.overflow || seconds.overflow ? .max : seconds.partialValue
            ))
    }

    private func claim(on pending: PendingCode) async throws -> Claim {
        if let network = provingNetwork(of: pending),
            try await ports.store.isKnown(network, at: ports.system.now())
        {
            return .proved
        }
        return isFromAskingNetwork(pending.id) ? .asked : .other
    }

    private func provingNetwork(of pending: PendingCode) -> KnownNetwork? {
        knownNetwork(for: "code \(pending.id)", until: pending.expiresAt)
    }

    /// Returns a new code session that identifies the network requesting it: random bytes, and a keyed hash of them
    /// with the network.
    func newCodeSession() -> String {
        let nonce = ports.system.randomBytes(Self.codeSessionBytes.nonce)
        return (nonce + tag(nonce)).base64URL
    }

    private func isFromAskingNetwork(_ codeSession: String) -> Bool {
        guard let bytes = Base64URL.decode(codeSession.utf8),
            bytes.count == Self.codeSessionBytes.nonce + Self.codeSessionBytes.tag
        else { return false }
        let nonce = Array(bytes.prefix(Self.codeSessionBytes.nonce))
        return constantTimeEqual(Array(bytes.dropFirst(nonce.count)), tag(nonce))
    }

    private func tag(_ nonce: [UInt8]) -> [UInt8] {
        let digest = ports.keys.digest(
            ["asking-network", nonce.base64URL, caller.network ?? ""], for: .codes, app: app.name)
        return Array(digest.prefix(Self.codeSessionBytes.tag))
    }
}
