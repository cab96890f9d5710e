import Foundation
import OstiaryCore

extension AuthEngine {
    /// Runs an operation: checks the app's assertion, counts the attempt, runs the handler, reverts the count on success, and
    /// writes the audit log.
    ///
    /// The only entry to an operation, so no operation omits its rate limit, the translation of its failures or its
    /// audit event.
    ///
    /// - Parameter needsAppAssertion: `true` for an operation that an app with App Attest requires an assertion for; `false`
    ///   for the steps of browsers and of the server's pages that are no operation of a contract.
    func run<Handler: OperationHandler>(
        _ handler: Handler, needsAppAssertion: Bool = false
    ) async throws(AuthError) -> Handler.Answer {
        try await RequestTrace.span("operation \(Handler.name)") { () async throws(AuthError) -> Handler.Answer in
            try await runCounted(handler, needsAppAssertion: needsAppAssertion)
        }
    }

    private func runCounted<Handler: OperationHandler>(
        _ handler: Handler, needsAppAssertion: Bool
    ) async throws(AuthError) -> Handler.Answer {
        let result: Result<Outcome<Handler.Answer>, Refused>
        var counted = CountedAttempt()
        do {
            let engine = needsAppAssertion ? try await checkingAppAssertion() : self
            counted = try await count(handler.attempts)
            let outcome = try await handler.perform(in: engine.performing(Handler.action, counted))
            try await forgive(counted.forgiveness)
            result = .success(outcome)
        } catch let refused as Refused {
            result = .failure(refused)
        } catch {
            result = .failure(Refused(refusal(for: error)))
        }
        if case .failure(let refused) = result, handler.attempts.kind.isGuess {
            await refund(counted, refusedWith: refused.refusal)
            if refused.refusal == .wrongCredentials, let signIn = counted.unrecognized {
                await noteFailure(of: signIn)
            }
            noteFailure(refused.refusal)
        }
        let attribution = attribution(of: result, of: handler)
        do { try await audit(result, of: handler, attribution) } catch {
            ports.operationCounts.count(handler.attempts.kind, in: app.name, attribution, outcome: error.code)
            throw error
        }
        ports.operationCounts.count(handler.attempts.kind, in: app.name, attribution, outcome: result.code)
        switch result {
        case .success(let outcome): return outcome.answer
        case .failure(let refused): throw refused.refusal
        }
    }

    /// The one place where an unexpected failure becomes ``AuthError/unavailable(incident:)``, after its cause is
    /// reported.
    func refusal(for error: any Error) -> AuthError {
        if let refusal = error as? AuthError { return refusal }
        return .unavailable(incident: ports.report(error))
    }

    private func audit<Handler: OperationHandler>(
        _ result: Result<Outcome<Handler.Answer>, Refused>, of handler: Handler, _ attribution: AttemptAttribution
    ) async throws(AuthError) {
        guard Handler.auditing != .never else { return }
        var event = AuditEvent(
            at: ports.system.now(), app: app.name, action: Handler.name, outcome: AuditEvent.succeeded,
            identifier: handler.attempts.identifier?.masked, address: caller.address, userAgent: caller.userAgent,
            method: attribution.method, factor: attribution.factor, isNewAccount: attribution.isNewAccount,
            details: attribution.risk?.details ?? [:])
        switch result {
        case .success(let outcome):
            guard Handler.auditing == .always || (Handler.auditing == .identified && outcome.account != nil) else {
                return
            }
            event.account = outcome.account
            event.session = outcome.session
            event.actor = outcome.actor
        case .failure(let refused):
            guard !isRepeated(refused, of: handler.attempts) else { return }
            event.outcome = refused.refusal.code
            event.account = refused.account
            event.session = refused.session
            event.actor = refused.actor
        }
        do {
            try await ports.store.append(event)
        } catch {
            // A success is reported to the caller only if it was audited; a refusal is reported in any case.
            if case .success = result { throw refusal(for: error) }
            _ = ports.report(error)
        }
    }

    /// Counts a wrong guess against the caller's network.
    private func noteFailure(_ refusal: AuthError) {
        guard let network = caller.network else { return }
        switch refusal {
        case .wrongCredentials, .codeRefused: ports.networkFailures.note(network, at: ports.system.now())
        default: break
        }
    }

    /// Counts an account that signed in from the caller's network. A registration is none: an attacker makes as many as he likes.
    func noteSuccess(of authentication: Authentication) {
        guard let network = caller.network, authentication.method != nil, !authentication.isNewAccount else { return }
        ports.networkFailures.noteSuccess(of: authentication.account.id, at: network, at: ports.system.now())
    }

    /// Returns the properties of an operation that the statistics count. A request that is malformed is no attempt.
    private func attribution<Handler: OperationHandler>(
        of result: Result<Outcome<Handler.Answer>, Refused>, of handler: Handler
    ) -> AttemptAttribution {
        switch result {
        case .success(let outcome): return outcome.attribution ?? handler.attribution(in: self)
        case .failure(let refused):
            var attribution = refused.attribution ?? handler.attribution(in: self)
            switch refused.refusal {
            case .invalid, .malformedRequest: (attribution.method, attribution.factor) = (nil, nil)
            default: break
            }
            return attribution
        }
    }

    /// Returns `true` if this caller was refused for the same reason within the last minute, with a value that any
    /// caller can make up: a token of no session, or an attempt too many. A flood of those must not fill the log.
    private func isRepeated(_ refused: Refused, of attempts: Attempts) -> Bool {
        switch refused.refusal {
        case .tooManyAttempts, .deviceLinkRequired, .proofOfWorkRequired, .invalidAccessToken, .refreshTokenInvalid,
            .refreshTokenRevoked, .refreshTokenExpired, .sessionRevoked, .invalidDPoPProof, .dpopRequired,
            .attestationRefused, .appAssertionRequired, .appAssertionRefused:
            break
        // A step of the protocol, which the client answers with the same request.
        case .useDPoPNonce: return true
        // A state, a redirect URI and a provider's name are as easily made up, and a page can do it in any browser.
        default: guard attempts.kind == .browser, refused.account == nil else { return false }
        }
        let what = "audit-\(attempts.kind.rawValue)-\(refused.refusal.code)"
        // A client of the provider has no network to be counted by: the requests of one backend do not hide another's.
        let who = "\(caller.network ?? caller.address ?? "") \(refused.session?.text ?? "")"
        let bucket = AttemptBucket(key: key(.other, what, who), limit: RateLimit(attempts: 1, perSeconds: 60))
        return ports.inMemoryRateLimiter.count([bucket], at: ports.system.now()) != nil
    }
}

extension Result where Failure == Refused {
    /// `ok`, or the refusal's code. One code for all fields that are not acceptable: it is a label of metrics.
    fileprivate var code: String {
        switch self {
        case .success: AuditEvent.succeeded
        case .failure(let refused): if case .invalid = refused.refusal { "invalid" } else { refused.refusal.code }
        }
    }
}
