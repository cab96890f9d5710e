import Foundation
import OstiaryCore
import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Checks that operations come from an attested app: see decision 82.
extension AuthEngine {
    /// Returns the settings of App Attest.
    ///
    /// - Throws: ``AuthError/notFound`` for an app without it.
    func appAttestSettings() throws -> AppAttestSettings {
        guard let settings = app.appAttest else { throw AuthError.notFound }
        return settings
    }

    /// Returns an engine that knows the attested key of the caller's assertion, if the operation needs one.
    ///
    /// The attempt is not counted yet: a caller without the app must not use up the attempts of an account.
    ///
    /// - Throws: ``AuthError/appAssertionRequired`` or ``AuthError/appAssertionRefused``, unless the app only monitors.
    func checkingAppAssertion() async throws -> AuthEngine {
        guard let settings = app.appAttest else { return self }
        do {
            let key = try await verifiedAppKey(settings)
            countAppAttest(.assertion, AuditEvent.succeeded)
            return presenting(key)
        } catch let problem as AppAssertionProblem {
            try refuse(
                problem.rawValue, as: problem == .missing ? .appAssertionRequired : .appAssertionRefused, settings)
        } catch let problem as AppAttestProblem {
            try refuse(problem.rawValue, as: .appAssertionRefused, settings)
        }
        return self
    }

    /// Refuses a page whose form leads to an operation that requires an assertion, which a browser cannot make.
    ///
    /// - Throws: ``AuthError/appAssertionRequired``.
    func refusePagesIfAssertionRequired() throws(AuthError) {
        guard app.appAttest?.mode != .required else { throw .appAssertionRequired }
    }

    /// Verifies the caller's assertion, and records its counter by one conditional write.
    private func verifiedAppKey(_ settings: AppAttestSettings) async throws -> [UInt8] {
        guard let presented = caller.appAssertion else { throw AppAssertionProblem.missing }
        guard presented.keyID.count == AppAttestVerifier.keyIDBytes else { throw AppAssertionProblem.malformed }
        guard let key = try await ports.store.appKey(presented.keyID, in: app.name) else {
            throw AppAssertionProblem.unknownKey
        }
        let counter = try settings.verifier.verifyAssertion(
            presented.assertion,
            of: AttestedAppKey(keyID: key.id, publicKey: key.publicKey, appID: key.appID),
            clientDataHash: Array(SHA256.hash(data: presented.clientData)), after: key.counter)
        let isNext = try await ports.store.recordUse(
            ofAppKey: key.id, in: app.name, counter: counter, keptUntil: appKeysKeptUntil)
        guard isNext else { throw AppAssertionProblem.replayed }
        return key.id
    }

    /// Checks that the attested key of the caller is the one that a session is bound to.
    ///
    /// - Returns: `false` for a session that is bound to no key.
    /// - Throws: ``AuthError/appAssertionRefused`` for another key, unless the app only monitors.
    func requireAppKey(of session: SessionID) async throws -> Bool {
        guard let settings = app.appAttest, let key = appKey,
            let bound = try await ports.store.appKey(of: session, in: app.name)
        else { return false }
        if bound != key { try refuse(AppAssertionProblem.otherKey.rawValue, as: .appAssertionRefused, settings) }
        return true
    }

    /// Binds a session to the attested key of the caller, if there is one and the session is bound to none.
    func bindAppKey(to session: SessionID) async throws {
        guard let key = appKey else { return }
        _ = try await ports.store.bind(session, toAppKey: key, in: app.name)
    }

    /// The time until which a key is kept that is used now: longer than a session that is bound to it lives without a refresh.
    var appKeysKeptUntil: Date {
        let seconds = max(AppAttestSettings.keySeconds, app.rules.refresh?.seconds ?? 0)
        return ports.system.now().addingTimeInterval(Double(seconds))
    }

    func countAppAttest(_ subject: OperationCounts.AppAttestSubject, _ outcome: String) {
        ports.operationCounts.count(subject, in: app.name, outcome: outcome)
    }

    /// Counts a problem, and refuses the request unless the app only monitors.
    private func refuse(_ label: String, as refusal: AuthError, _ settings: AppAttestSettings) throws {
        countAppAttest(.assertion, label)
        guard settings.mode == .required else { return }
        // Only refusals are counted here: what passes is counted as an attempt of its operation.
        if let bucket = addressBucket(.other),
            let wait = ports.inMemoryRateLimiter.count([bucket], at: ports.system.now())
        {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
        throw refusal
    }
}
