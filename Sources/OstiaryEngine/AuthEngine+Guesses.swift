import Foundation
import OstiaryCore

/// Counts guesses at the secret of one account, known or not: see decisions 31 and 75.
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
    /// A recognized device and a known network have counters of their own, which other callers' failures do not affect. All
    /// other callers share the account's waits.
    ///
    /// - Parameters:
    ///   - recognized: The caller, if it was looked up before.
    ///   - holder: The kind of credential the caller holds besides a guess, such as a session, which separates its
    ///     waits from those of callers who hold none.
    ///   - bucket: A bucket that is counted in the same commit, and refunded by a success.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``, ``AuthError/deviceLinkRequired``; nothing was counted
    ///   then.
    func countGuess(
        at subject: String, by recognized: RecognizedCaller? = nil, as holder: String? = nil,
        alsoAgainst address: AttemptBucket? = nil
    ) async throws -> CountedAttempt {
        let counted = try await guess(at: subject, by: recognized, as: holder, alsoAgainst: address)
        if let limit = counted.limitedFailures, try await failures(countedAs: limit.key) >= limit.failures {
            throw AuthError.deviceLinkRequired
        }
        try await count(counted.buckets)
        return counted
    }

    /// Returns the reversal of the counts that a completed sign-in of an account leaves, without counting a guess.
    func reversal(ofGuessesAt subject: String) async throws -> CountReversal {
        try await guess(at: subject, by: nil, as: nil, alsoAgainst: nil).forgiveness
    }

    private func guess(
        at subject: String, by recognized: RecognizedCaller?, as holder: String?, alsoAgainst address: AttemptBucket?
    ) async throws -> CountedAttempt {
        var counted = CountedAttempt(address: address)
        let network = recognized.map(\.network) ?? knownNetwork(for: subject)
        counted.forgiveness = CountReversal(refunded: [address].compactMap(\.self), network: network)
        var waits: [AttemptBucket] = []
        var exhausted: [String] = []
        if let limit = app.limits.perIdentifier[.signIn] {
            let policy = GuessPolicy(limit)
            let caller = if let recognized { recognized } else { try await recognizedCaller(of: subject) }
            if caller.recognition.isDeviceRecognized, let key = caller.deviceKey {
                waits = [AttemptBucket(key: key, waits: policy.recognized)]
            } else if caller.recognition.isNetworkKnown, let key = caller.networkKey {
                waits = [AttemptBucket(key: key, waits: policy.recognized)]
                exhausted = [caller.deviceKey].compactMap(\.self)
            } else if let holder = self.caller.network == nil ? "process" : holder {
                waits = [AttemptBucket(key: key(.signIn, "holder-\(holder)", subject), waits: policy.holder)]
            } else {
                let others = AttemptBucket(key: key(.signIn, "unknown", subject), waits: policy.others)
                waits = [others]
                exhausted = [caller.deviceKey, caller.networkKey].compactMap(\.self)
                counted.limitedFailures = (others.key, policy.othersFailures)
                counted.forgiveness.refunded.append(
                    AttemptBucket(key: key(.signIn, "unknown-day", subject), limit: policy.othersDay))
            }
        }
        counted.forgiveness.forgotten = waits.map(\.key) + exhausted
        counted.buckets = counted.forgiveness.refunded + waits
        return counted
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
