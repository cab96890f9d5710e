import Foundation
import OstiaryCore

extension AuthEngine {
    /// Runs an operation: counts the attempt, runs the handler, reverts the count on success, and writes the audit
    /// log.
    ///
    /// The only entry to an operation, so no operation omits its rate limit, the translation of its failures or its
    /// audit event.
    func run<Handler: OperationHandler>(_ handler: Handler) async throws(AuthError) -> Handler.Answer {
        let result: Result<Outcome<Handler.Answer>, Refused>
        var counted = CountedAttempt()
        do {
            counted = try await count(handler.attempts)
            let outcome = try await handler.perform(in: performing(Handler.action))
            try await forgive(counted.forgiveness)
            result = .success(outcome)
        } catch let refused as Refused {
            result = .failure(refused)
        } catch {
            result = .failure(Refused(refusal(for: error)))
        }
        if case .failure(let refused) = result, handler.attempts.kind.isGuess {
            await refund(counted, refusedWith: refused.refusal)
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
            method: attribution.method, factor: attribution.factor, isNewAccount: attribution.isNewAccount)
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

    /// Returns `true` if this network was refused for the same reason within the last minute, with a value that any
    /// caller can make up: a token of no session, or an attempt too many. A flood of those must not fill the log.
    private func isRepeated(_ refused: Refused, of attempts: Attempts) -> Bool {
        switch refused.refusal {
        case .tooManyAttempts, .deviceLinkRequired, .invalidAccessToken, .refreshTokenInvalid, .refreshTokenRevoked,
            .refreshTokenExpired,
            .sessionRevoked:
            break
        // A state, a redirect URI and a provider's name are as easily made up, and a page can do it in any browser.
        default: guard attempts.kind == .browser, refused.account == nil else { return false }
        }
        let what = "audit-\(attempts.kind.rawValue)-\(refused.refusal.code)"
        let who = "\(caller.network ?? "") \(refused.session?.text ?? "")"
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
