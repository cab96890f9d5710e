import OstiaryCore

extension AuthEngine {
    /// Ends a session, if it has not ended yet. The authority is notified afterwards, best effort.
    ///
    /// - Returns: `true` if this call ended it.
    @discardableResult
    func end(
        _ id: SessionID, _ reason: Revocation.Reason, notice: QueuedMessage? = nil
    ) async throws -> Bool {
        let revocation = Revocation(reason: reason, at: ports.surroundings.now())
        let hasEnded = try await ports.store.revoke(id, in: app.name, revocation, notice: notice)
        if hasEnded, notice != nil { ports.courier.wake() }
        if hasEnded, let authority = ports.identities.passwordAuthority {
            farewells.say {
                guard let kept = try? await ports.store.attachment(of: id, in: app.name),
                    let theirs = try? open(kept, of: id)
                else { return }
                await authority.end(theirs)
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
                notice = try await ports.courier.seal(.refreshTokenReused, to: recipient, app: app.name)
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
