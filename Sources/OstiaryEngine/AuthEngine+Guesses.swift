import Foundation
import OstiaryCore

/// Counts guesses at the secret of one account, known or not: see decision 31.
extension AuthEngine {
    /// The time for which a network is known for an account after the last sign-in from it, in seconds.
    static let knownNetworkSeconds = 30.0 * 86_400

    /// Returns the subject that guesses are counted for: the account, so all its identifiers count together, or the
    /// identifier where there is no account, or where an external credential provider keeps the accounts.
    func guessSubject(of identifier: Identifier) async throws -> String {
        guard ports.identities.credentialProvider == nil,
            let account = try await ports.store.account(identifiedBy: identifier, in: app.name)
        else { return "identifier \(identifier.canonical)" }
        return guessSubject(of: account)
    }

    func guessSubject(of account: Account) -> String { guessSubject(of: account.id) }
    func guessSubject(of account: AccountID) -> String { "account \(account.text)" }

    /// Counts a guess in one commit before it is judged.
    ///
    /// A network that signed in before has its own waits, which other networks' failures do not affect. All others
    /// share the account's waits and its guesses an hour.
    ///
    /// - Parameters:
    ///   - holder: The kind of credential the caller holds besides a guess, such as a session, which separates its
    ///     waits from those of callers who hold none.
    ///   - bucket: A bucket that is counted in the same commit, and refunded by a success.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; nothing was counted then.
    func countGuess(
        at subject: String, as holder: String? = nil, alsoAgainst address: AttemptBucket? = nil
    ) async throws -> CountedAttempt {
        let counted = try await guess(at: subject, as: holder, alsoAgainst: address)
        try await count(counted.buckets)
        return counted
    }

    /// Returns the reversal of the counts that a completed sign-in of an account leaves, without counting a guess.
    func reversal(ofGuessesAt subject: String) async throws -> CountReversal {
        try await guess(at: subject, as: nil, alsoAgainst: nil).forgiveness
    }

    private func guess(
        at subject: String, as holder: String?, alsoAgainst address: AttemptBucket?
    ) async throws -> CountedAttempt {
        var forgiveness = CountReversal(refunded: [address].compactMap(\.self), network: knownNetwork(for: subject))
        var waits: [AttemptBucket] = []
        if let limit = app.limits.perIdentifier[.signIn] {
            let policy = GuessPolicy(limit)
            var isKnown = false
            if let network = forgiveness.network {
                isKnown = try await ports.store.isKnown(network, at: ports.system.now())
            }
            let network = caller.network ?? ""
            if isKnown || caller.network == nil {
                waits = [AttemptBucket(key: key(.signIn, "known-\(network)", subject), waits: policy.perNetwork)]
            } else if let holder {
                waits = [AttemptBucket(key: key(.signIn, "holder-\(holder)", subject), waits: policy.perNetwork)]
            } else {
                waits = [
                    AttemptBucket(key: key(.signIn, "unknown-\(network)", subject), waits: policy.perNetwork),
                    AttemptBucket(key: key(.signIn, "unknown", subject), waits: policy.perAccount),
                ]
                forgiveness.refunded.append(
                    AttemptBucket(key: key(.signIn, "unknown-hour", subject), limit: policy.perAccountHour))
            }
        }
        forgiveness.forgotten = waits.map(\.key)
        return CountedAttempt(address: address, buckets: forgiveness.refunded + waits, forgiveness: forgiveness)
    }

    /// Judges a counted guess, and reverts the count if it was right or was not judged.
    ///
    /// - Parameter judge: Throws if the guess is wrong.
    func countingGuess<Value: Sendable>(
        _ counted: CountedAttempt, _ judge: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await judge()
            try await forgive(counted.forgiveness)
            return value
        } catch {
            await refund(counted, after: error)
            throw error
        }
    }

    /// Returns the caller's network as it is remembered for a subject; `nil` for a caller inside the process.
    ///
    /// - Parameter expiresAt: `nil` for a network that signed in, which is known for ``knownNetworkSeconds``.
    func knownNetwork(for subject: String, until expiresAt: Date? = nil) -> KnownNetwork? {
        guard let network = caller.network else { return nil }
        return KnownNetwork(
            subject: networkSubject(subject),
            network: Array(ports.keys.digest(["network", network], for: .attempts, app: app.name).prefix(18)),
            expiresAt: expiresAt ?? ports.system.now().addingTimeInterval(Self.knownNetworkSeconds))
    }

    private func networkSubject(_ subject: String) -> [UInt8] {
        Array(ports.keys.digest(["known-networks", subject], for: .attempts, app: app.name).prefix(18))
    }

    /// Remembers the caller's network for an account that authenticated by other means than a sign-in. The operation
    /// itself is complete by then: a failure is only reported.
    func rememberNetwork(for account: Account) async {
        guard let network = knownNetwork(for: guessSubject(of: account)) else { return }
        do { try await forgive(CountReversal(network: network)) } catch { _ = ports.report(error) }
    }

    /// Deletes the known networks of an account whose password another person may have known, or that is deleted.
    func forgetNetworks(of account: Account) async {
        do {
            try await ports.store.forgetNetworks(of: networkSubject(guessSubject(of: account)))
        } catch { _ = ports.report(error) }
    }
}
