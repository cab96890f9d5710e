import Foundation
import OstiaryCore

/// The risk of a sign-in, with the facts that are recorded after it.
struct SignInRisk: Sendable {
    var assessment: RiskAssessment
    var location: NetworkLocation
    var history: SignInHistory
    /// The notice of a sign-in that waits for the answer to a challenge; nil for none.
    var notice: PendingRisk.Notice?
    /// `true` if a code by email was asked for and answered.
    var isCodeAnswered = false
}

/// Assesses sign-ins whose first factor succeeded: see decision 79.
extension AuthEngine {
    /// Returns the risk of a sign-in; nil where it is not assessed.
    ///
    /// - Parameter identifier: The identifier that the person signed in with.
    func risk(of authentication: Authentication, identifier: Identifier?) async throws -> SignInRisk? {
        guard !app.risk.isOff else { return nil }
        let (account, pending) = (authentication.account, authentication.pendingRisk)
        // A session of a client and a registration are no sign-ins, and one at the built-in provider was assessed there. Their
        // place is known for later ones.
        let isSignIn = authentication.method != nil && !authentication.isNewAccount && !authentication.isAssessed
        var risk = try await risk(
            of: account.id, subject: subject(of: account, identifier: identifier), password: account.passwordHash,
            isAssessed: isSignIn && pending == nil && !authentication.isChallengeAnswered)
        // Further steps continue with the assessment of the first one.
        if let pending {
            risk.assessment = pending.assessment
            risk.notice = pending.notice
            risk.isCodeAnswered = pending.isCodeAnswered || pending.asksCode
        }
        return risk
    }

    /// Makes a refusal of credentials take as long as one for its risk, where there are such.
    func equalizeRefusal(_ refused: Refused, identifier: Identifier?) async throws {
        guard app.risk.refuse != .never, case .wrongCredentials = refused.refusal else { return }
        let account = try refused.account ?? AccountID(app.rules.accountIDs == .integer ? "0" : ports.system.uuid())
        let subject = recognized?.subject ?? guessSubject(of: account)
        _ = try await risk(of: account, subject: subject, password: nil, isAssessed: true)
    }

    /// Refuses nothing that two factors were shown for: a passkey is a way that is left to the owner.
    ///
    /// - Throws: The refusal of a sign-in that has the risk which the app refuses.
    func refuseRisk(of authentication: Authentication) throws {
        guard let risk = authentication.risk, !authentication.isChallengeAnswered, !risk.isCodeAnswered,
            authentication.context.level < .aal2,
            app.risk.refuse.isReached(by: risk.assessment.level)
        else { return }
        throw Refused(authentication.ifOvertaken, account: authentication.account.id)
    }

    private func subject(of account: Account, identifier: Identifier?) -> String {
        // The subject that guesses at the same password are counted for.
        if ports.identities.credentialProvider != nil, let identifier { return "identifier \(identifier.canonical)" }
        return guessSubject(of: account)
    }

    private func risk(
        of account: AccountID, subject: String, password: String?, isAssessed: Bool
    ) async throws -> SignInRisk {
        let now = ports.system.now()
        let stored = try await ports.store.signInHistory(of: account, in: app.name, at: now)
        let history = open(stored.sealed, of: account)
        let location = caller.address.flatMap { ports.networkLocator?.location(of: $0) } ?? NetworkLocation()
        var risk = SignInRisk(
            assessment: RiskAssessment(country: location.country), location: location, history: history)
        guard isAssessed else { return risk }
        let circumstances = SignInCircumstances(
            now: now, recognition: try await knownRecognition(of: subject), isLocal: caller.network == nil,
            location: location, lastSignInAt: stored.lastSignInAt, history: history,
            hasCompromisedPassword: password.map { history.isCompromised(passwordKey(of: $0, of: account)) } ?? false,
            hasNetworkFailures: caller.network.map { ports.networkFailures.areMany(at: $0, at: now) } ?? false)
        risk.assessment = circumstances.assessment
        return risk
    }

    /// Returns the recognition of the caller as it was before the password was judged, if guesses at it were counted for this
    /// subject.
    private func knownRecognition(of subject: String) async throws -> Recognition {
        if let recognized, recognized.subject.utf8.elementsEqual(subject.utf8) { return recognized.recognition }
        return try await recognition(of: subject)
    }

    // MARK: History

    /// Records the place of a session that was opened. The sign-in is complete by then: a failure is only reported.
    func recordPlace(of authentication: Authentication) async {
        guard let risk = authentication.risk,
            let history = risk.history.recording(risk.location, at: ports.system.now().asStored)
        else { return }
        await keep(history, of: authentication.account.id)
    }

    /// Records that the password of an account was reset. The reset is complete by then: a failure is only reported.
    func recordReset(of account: Account) async {
        guard !app.risk.isOff else { return }
        await updateHistory(of: account.id) { $0.resetAt = ports.system.now().asStored }
    }

    /// Changes an account's history. Failures are only reported: the history decides nothing alone.
    func updateHistory(of account: AccountID, _ change: (inout SignInHistory) -> Void) async {
        do {
            let now = ports.system.now()
            let stored = try await ports.store.signInHistory(of: account, in: app.name, at: now)
            var history = open(stored.sealed, of: account)
            change(&history)
            await keep(history, of: account)
        } catch { _ = ports.report(error) }
    }

    private func keep(_ history: SignInHistory, of account: AccountID) async {
        do {
            let plain = Array(try JSONEncoder().encode(history))
            let sealed = try ports.keys.seal(plain, for: .signInHistory, context: historyContext(of: account))
            try await ports.store.setSignInHistory(
                sealed, of: account, in: app.name,
                until: ports.system.now().addingTimeInterval(SignInHistory.retentionSeconds))
        } catch { _ = ports.report(error) }
    }

    /// Opens a sealed history. One that cannot be opened is as if there were none: it must not lock its owner out.
    func open(_ sealed: [UInt8]?, of account: AccountID) -> SignInHistory {
        guard let sealed else { return SignInHistory() }
        do {
            let plain = try ports.keys.open(sealed, for: .signInHistory, context: historyContext(of: account))
            return try JSONDecoder().decode(SignInHistory.self, from: Data(plain))
        } catch {
            _ = ports.report(error)
            return SignInHistory()
        }
    }

    private func historyContext(of account: AccountID) -> String {
        SealedValue.Kind.signInHistory.context(app.name.text, account.text)
    }

    /// Returns a keyed hash of a stored hash of a password.
    func passwordKey(of hash: String, of account: AccountID) -> [UInt8] {
        ports.keys.digest(["password", account.text, hash], for: .signInHistory, app: app.name)
    }
}

extension SignInHistory {
    /// Returns `true` if the password of that keyed hash was found in a list of compromised ones.
    func isCompromised(_ password: [UInt8]) -> Bool {
        passwordCheck.map { $0.isCompromised && $0.password == password } ?? false
    }
}
