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
            upstreamSignOuts.say {
                guard let kept = try? await ports.store.attachment(of: id, in: app.name),
                    let upstreamSession = try? open(kept, of: id)
                else { return }
                await credentialProvider.end(upstreamSession)
            }
        }
        return hasEnded
    }

    /// Ends a session of which another party has a refresh token, and informs its owner: once, in the commit that ends
    /// it.
    func endReused(_ state: SessionState) async throws {
        var notice: QueuedMessage?
        if state.session.revocation == nil, let recipient = state.account.noticeRecipient {
            // A full outbox must not keep the session alive.
            do {
                notice = try await ports.notificationSealer.seal(.refreshTokenReused, to: recipient, app: app.name)
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
