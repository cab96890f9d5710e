import Foundation
import OstiaryCore

/// The owner's notices of unusual sign-ins: see decision 79.
extension AuthEngine {
    /// Informs the owner of a sign-in that is complete, if its risk is one that the app tells of. The session is open by then: a
    /// failure is only reported.
    func settleNotice(of authentication: Authentication) async {
        guard let risk = authentication.risk else { return }
        do {
            switch risk.notice {
            case .sent: break
            case .queued(let id):
                try await ports.store.remove(id)
                try await forgive(CountReversal(refunded: noticeBuckets(for: authentication.account)))
            case nil:
                let level = risk.assessment.level
                // A challenge that the account could not answer falls back to a notice.
                guard !authentication.isChallengeAnswered, !risk.isCodeAnswered,
                    app.risk.notify.isReached(by: level) || app.risk.challenge.isReached(by: level)
                else { return }
                _ = try await sendNotice(of: authentication)
            }
        } catch { _ = ports.report(error) }
    }

    /// Informs the owner of a sign-in whose password was right and that needs another step.
    ///
    /// - Parameters:
    ///   - isAskedForRisk: `true` if its risk is the reason; the message is sent if the step stays unanswered.
    ///   - seconds: The time within which the step must be answered.
    /// - Returns: The state of the message; nil if there is none. A failure is only reported.
    private func noticeBeforeChallenge(
        of authentication: Authentication, isAskedForRisk: Bool, seconds: Int
    ) async -> PendingRisk.Notice? {
        guard let risk = authentication.risk else { return nil }
        if let notice = risk.notice { return notice }
        do {
            if isAskedForRisk {
                return try await sendNotice(of: authentication, afterSeconds: seconds).map { .queued($0) }
            }
            guard app.risk.notify.isReached(by: risk.assessment.level) else { return nil }
            return try await sendNotice(of: authentication).map { _ in .sent }
        } catch {
            _ = ports.report(error)
            return nil
        }
    }

    // MARK: Challenges

    /// Returns `true` if a sign-in has the risk that the app asks for a further step for.
    func isChallengedForRisk(_ authentication: Authentication) -> Bool {
        guard let risk = authentication.risk, !risk.isCodeAnswered else { return false }
        return app.risk.challenge.isReached(by: risk.assessment.level)
    }

    /// Asks for a code by email, if the account has a verified address and the contract can answer a challenge.
    ///
    /// - Throws: ``AuthError/challengeRequired(_:)``.
    func requireEmailCode(of authentication: Authentication) async throws {
        guard app.answersChallenges, codeRecipient(of: authentication.account, by: .emailCode) != nil else { return }
        let pending = await pendingSignIn(authentication, isAskedForRisk: true, asksCode: true)
        let challenge = try challenge(Challenge.secondFactor, .secondFactor(pending), methods: [.emailCode])
        throw Refused(.challengeRequired(challenge), account: authentication.account.id)
    }

    /// Returns a sign-in that waits for its next step, after the owner's notice of it.
    func pendingSignIn(
        _ authentication: Authentication, isAskedForRisk: Bool, asksCode: Bool = false,
        seconds: Int = SecondFactorPolicy.challengeSeconds
    ) async -> PendingSignIn {
        var pending = PendingSignIn(authentication)
        let notice = await noticeBeforeChallenge(
            of: authentication, isAskedForRisk: isAskedForRisk, seconds: seconds)
        pending.risk?.notice = notice
        pending.risk?.asksCode = asksCode
        return pending
    }

    /// Queues the message with its link, within the caps of one account. It counts against no cap of messages.
    ///
    /// - Returns: The id of the message; nil if the account has no address, or got as many as it gets.
    private func sendNotice(of authentication: Authentication, afterSeconds delay: Int = 0) async throws -> String? {
        let account = authentication.account
        guard let email = account.email else { return nil }
        let now = ports.system.now().asStored
        let denial = SignInDenial(account, at: now, in: self)
        let notice = UnusualSignInNotice(
            at: now, address: account.isEmailVerified ? caller.address : nil,
            country: account.isEmailVerified ? authentication.risk?.assessment.country : nil,
            denialToken: denial.token)
        var message = try await ports.notificationSealer.seal(.unusualSignIn(notice), to: .email(email), app: app.name)
        message.createdAt = now.addingTimeInterval(Double(delay))
        // Before the message: a link without its record would do nothing.
        try await ports.store.add(denial.record())
        guard
            try await ports.store.enqueue(message, within: noticeBuckets(for: account), keeping: nil, at: now) == nil
        else { return nil }
        if delay == 0 { ports.notificationSealer.wake() }
        return message.id
    }

    private func noticeBuckets(for account: Account) -> [AttemptBucket] {
        [(RiskPolicy.noticesPerHour, 3600), (RiskPolicy.noticesPerDay, 86_400)].map { count, seconds in
            AttemptBucket(
                key: key(.codeRequest, "sign-in-notices-\(seconds)", account.id.text),
                limit: RateLimit(attempts: count, perSeconds: seconds))
        }
    }
}
