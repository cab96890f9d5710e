import Foundation
import OstiaryCore

/// Limits attacks on many accounts, of each of which there are few guesses: see decision 77.
extension AuthEngine {
    /// A sign-in by a caller that the account does not recognize.
    struct UnrecognizedSignIn: Sendable {
        /// See ``AuthEngine/guessSubject(of:)``.
        var subject: String
        var identifier: Identifier
        var password: Secret<String>
        /// `true` if the password was tried for so many accounts that it is refused even if it is right.
        var isSprayed = false
        /// `true` if the caller showed a computation.
        var hasComputed = false
    }

    /// Decides on a sign-in before its password is judged.
    ///
    /// - Returns: `nil` for a caller that the account recognizes, and for an operation without a password.
    /// - Throws: ``AuthError/proofOfWorkRequired(_:retryAfterSeconds:)``; nothing was counted then.
    func unrecognizedSignIn(
        _ attempts: Attempts, by recognized: RecognizedCaller
    ) async throws -> UnrecognizedSignIn? {
        guard let identifier = attempts.identifier, let password = attempts.password, caller.network != nil,
            !recognized.recognition.isRecognized
        else { return nil }
        var signIn = UnrecognizedSignIn(subject: recognized.subject, identifier: identifier, password: password)
        signIn.hasComputed = try await requireProofOfWork(of: identifier)
        let count = passwordAttempts.count(password.reveal(), at: ports.system.now())
        signIn.isSprayed = count >= app.spraying.accounts
        return signIn
    }

    /// Counts a sign-in whose credentials were refused.
    func noteFailure(of signIn: UnrecognizedSignIn) async {
        let now = ports.system.now()
        if signIn.isSprayed { await report(.passwordSpraying) }
        passwordAttempts.add(signIn.subject, to: signIn.password.reveal(), at: now)
        let limit = signIn.hasComputed ? app.stuffing.perNetwork : app.stuffing.perNetworkBeyond
        guard let bucket = stuffingBucket(limit), let network = caller.wideNetwork else { return }
        do {
            try await noteAddress(in: network, at: now)
            guard !identifierAttempts.contains(signIn.subject, in: network, at: now) else { return }
            // Only what the bucket had room for is counted: an attacker must not use up what this node keeps of a network.
            guard try await ports.store.count([bucket], at: now) == nil else { return }
            identifierAttempts.add(signIn.subject, to: network, at: now)
        } catch {
            // The refusal is due in any case.
            _ = ports.report(error)
        }
    }

    /// Checks the computation of a sign-in, if the caller's network must show one.
    ///
    /// While few addresses of the network fail, the people at its other addresses are not asked: see decision 94.
    ///
    /// - Returns: `false` for a caller who is not asked.
    private func requireProofOfWork(of identifier: Identifier) async throws -> Bool {
        guard let bucket = stuffingBucket(app.stuffing.perNetwork),
            let wait = try await ports.store.wait(for: bucket, at: ports.system.now()), try await isSuspect
        else { return false }
        guard try await redeemProofOfWork(for: identifier) else {
            await report(.credentialStuffing)
            throw AuthError.proofOfWorkRequired(proofOfWork(for: identifier), retryAfterSeconds: wait)
        }
        return true
    }

    // MARK: Addresses

    /// `true` if a sign-in failed from the caller's address, or from many addresses of its network.
    private var isSuspect: Bool {
        get async throws {
            guard let network = caller.wideNetwork, let address = caller.network else { return true }
            let now = ports.system.now()
            if failingAddresses.contains(address, in: network, at: now) || isSpread(network, at: now) { return true }
            for bucket in addressBuckets(in: network) {
                if try await ports.store.wait(for: bucket, at: now) != nil { return true }
            }
            return false
        }
    }

    /// Counts the caller's address among those of its network from which sign-ins failed, once an hour.
    private func noteAddress(in network: String, at now: Date) async throws {
        guard let address = caller.network, !failingAddresses.contains(address, in: network, at: now),
            !isSpread(network, at: now)
        else { return }
        _ = try await ports.store.count(addressBuckets(in: network), at: now)
        failingAddresses.add(address, to: network, at: now)
    }

    /// Returns `true` if this node has seen sign-ins fail from many addresses of a network.
    private func isSpread(_ network: String, at now: Date) -> Bool {
        failingAddresses.count(network, at: now) >= CredentialStuffingPolicy.addresses
    }

    private func addressBuckets(in network: String) -> [AttemptBucket] {
        [
            AttemptBucket(
                key: key(.signIn, "stuffing-address", caller.network ?? ""),
                limit: RateLimit(attempts: 1, perSeconds: 3600)),
            AttemptBucket(
                key: key(.signIn, "stuffing-addresses", network),
                limit: RateLimit(attempts: CredentialStuffingPolicy.addresses, perSeconds: 3600)),
        ]
    }

    private func stuffingBucket(_ limit: RateLimit) -> AttemptBucket? {
        caller.wideNetwork.map { AttemptBucket(key: key(.signIn, "stuffing", $0), limit: limit) }
    }

    /// Counts a registration, of all apps of the server together.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; nothing was counted then.
    func countRegistration() async throws {
        let caps = app.registrations
        var buckets = [
            AttemptBucket(
                key: sharedKey("registrations-server", ""),
                limit: RateLimit(attempts: caps.perServerHour, perSeconds: 3600))
        ]
        buckets += caller.nestedNetworks.map { network, multiple in
            AttemptBucket(
                key: sharedKey("registrations-network", network),
                limit: RateLimit(attempts: caps.perNetworkDay * multiple, perSeconds: 86_400))
        }
        guard let wait = try await ports.store.count(buckets, at: ports.system.now()) else { return }
        await report(.massRegistration)
        throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
    }

    /// Counts a refusal by a limit, and audits it at most once a minute and network: a flood must not fill the
    /// log.
    private func report(_ attack: Attack) async {
        ports.attackCounts.add(attack)
        let (now, network) = (ports.system.now(), caller.wideNetwork ?? "")
        let once = AttemptBucket(
            key: key(.other, "audit-\(attack.rawValue)", network), limit: RateLimit(attempts: 1, perSeconds: 60))
        guard ports.inMemoryRateLimiter.count([once], at: now) == nil else { return }
        let event = AuditEvent(
            at: now, app: app.name, action: "detectAttack", outcome: attack.rawValue, address: caller.address,
            userAgent: caller.userAgent, details: ["network": network])
        do { try await ports.store.append(event) } catch { _ = ports.report(error) }
    }
}

extension Caller {
    /// The network that failures over many identifiers are counted by: the /24 of an IPv4 address, the /48 of an IPv6
    /// address; `nil` inside the process.
    var wideNetwork: String? {
        guard let network else { return nil }
        guard let address = IPAddress(String(network.prefix { $0 != "/" })) else { return network }
        let bits = address.isIPv6 ? 48 : 24
        return "\(address.prefix(bits: bits))/\(bits)"
    }
}
