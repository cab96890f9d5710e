import Foundation
import OstiaryCore

extension AuthEngine {
    /// Ends a session, if it has not ended yet. The external credential provider is notified afterwards, best effort.
    ///
    /// - Returns: `true` if this call ended it.
    @discardableResult
    func end(
        _ id: SessionID, _ reason: Revocation.Reason, notice: QueuedMessage? = nil
    ) async throws -> Bool {
        let revocation = Revocation(reason: reason, at: ports.system.now())
        let hasEnded = try await ports.store.revoke(id, in: app.name, revocation, notice: notice)
        if hasEnded, notice != nil { ports.notificationSealer.wake() }
        if hasEnded, let credentialProvider = ports.identities.credentialProvider {
            upstreamSignOuts.run {
                guard let kept = try? await ports.store.attachment(of: id, in: app.name),
                    let upstreamSession = try? open(kept, of: id)
                else { return }
                await credentialProvider.end(upstreamSession)
            }
        }
        return hasEnded
    }

    /// Withdraws a session whose id is chosen and which is not open yet: ``openSession(_:)`` ends it at once.
    func withdraw(_ id: SessionID) async throws {
        // A code that is redeemed in its last second may be followed by a challenge, or by the first factor.
        let seconds =
            app.browserSeconds + SecondFactorPolicy.challengeSeconds + SecondFactorPolicy.enrolmentSeconds
        do {
            try await ports.store.add(
                SingleUseRecord(
                    app: app.name, kind: .withdrawnSession, hash: withdrawalHash(id), payload: [],
                    expiresAt: ports.system.now().addingTimeInterval(Double(seconds))))
        } catch StoreRefusal.alreadySpent {}
    }

    /// Returns `true` if ``withdraw(_:)`` was called for the session.
    func isWithdrawn(_ id: SessionID) async throws -> Bool {
        try await ports.store.singleUseRecord(
            .withdrawnSession, withdrawalHash(id), in: app.name, at: ports.system.now()) != nil
    }

    private func withdrawalHash(_ id: SessionID) -> [UInt8] {
        ports.keys.digest(["session", id.text], for: .browserSignIns, app: app.name)
    }

    /// Ends a session of which another party has a refresh token, and informs its owner: once, in the commit that ends
    /// it.
    func endReused(_ state: SessionState) async throws {
        var notice: QueuedMessage?
        if state.session.revocation == nil, let recipient = state.account.noticeRecipient {
            // A full outbox must not keep the session alive.
            do {
                if try await mayNotify(of: state.account) {
                    notice = try await ports.notificationSealer.seal(.refreshTokenReused, to: recipient, app: app.name)
                }
            } catch {
                _ = ports.report(error)
            }
        }
        try await end(state.session.id, .reuse, notice: notice)
    }
}

extension Account {
    /// The recipient of security notices about the account: the verified address, otherwise the one there is.
    var noticeRecipient: Recipient? {
        if let email, isEmailVerified || phoneNumber == nil { return .email(email) }
        return phoneNumber.map { .phoneNumber($0) }
    }
}
