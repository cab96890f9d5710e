import Foundation
import OstiaryCore

/// The notices of changes of factors, with their links: see decision 57.
extension AuthEngine {
    /// Returns the link by which an account's owner undoes a change; `nil` for an account without a verified address or
    /// number: its message may reach another person.
    func undoLink(for change: FactorChange, kind: Factor.Kind? = nil, of account: Account) -> FactorUndoLink? {
        guard let recipient = verifiedRecipient(of: account) else { return nil }
        return FactorUndoLink(
            UndoableFactorChange(change: change, kind: kind, at: ports.system.now().asStored), of: account,
            sentTo: recipient, in: self)
    }

    /// Returns the sealed message that informs an account's owner; `nil` for an account without an address.
    func notice(
        of change: FactorChange, kind: Factor.Kind? = nil, to account: Account, _ undo: FactorUndoLink? = nil
    ) async throws -> QueuedMessage? {
        guard let (content, recipient) = noticeContent(of: change, kind: kind, to: account, undo) else { return nil }
        return try await ports.notificationSealer.seal(content, to: recipient, app: app.name)
    }

    /// Returns the content of the message that informs an account's owner. It names the caller's address only to a
    /// verified recipient.
    func noticeContent(
        of change: FactorChange, kind: Factor.Kind? = nil, to account: Account, _ undo: FactorUndoLink? = nil
    ) -> (content: NotificationContent, recipient: Recipient)? {
        let verified = verifiedRecipient(of: account)
        guard let recipient = verified ?? account.noticeRecipient else { return nil }
        let notice = FactorChangeNotice(
            change, kind: kind, address: verified == nil ? nil : caller.address, undoToken: undo?.token)
        return (.factorsChanged(notice), recipient)
    }

    /// Returns the verified address of an account, otherwise its verified phone number.
    func verifiedRecipient(of account: Account) -> Recipient? {
        codeRecipient(of: account, by: .emailCode) ?? codeRecipient(of: account, by: .smsCode)
    }

    /// Returns the key of the record that a link's token redeems.
    func undoKey(of token: Secret<String>) -> SingleUseRecordKey {
        SingleUseRecordKey(
            app: app.name, kind: .factorUndo,
            hash: ports.keys.digest(["undo", token.reveal()], for: .factors, app: app.name))
    }

    // MARK: Sign-ins

    /// Records a sign-in with a factor while its addition can be undone: the undo then leaves the factor.
    func noteSignIn(with factor: Factor, answering token: ChallengeToken) async throws {
        let end = factor.createdAt.addingTimeInterval(Double(FactorChangeNotice.undoSeconds))
        guard token.isSignIn, ports.system.now() < end else { return }
        try await noteSignIn(signInKey(of: factor.id))
    }

    /// Records a sign-in with a recovery code: the undo of the change that added it then leaves the codes.
    func noteSignIn(withRecoveryCode hash: [UInt8], answering token: ChallengeToken) async throws {
        guard token.isSignIn else { return }
        try await noteSignIn(signInKey(ofRecoveryCode: hash))
    }

    private func noteSignIn(_ key: SingleUseRecordKey) async throws {
        let end = ports.system.now().addingTimeInterval(Double(FactorChangeNotice.undoSeconds))
        // There is one already after the first sign-in.
        do {
            try await ports.store.add(
                SingleUseRecord(app: key.app, kind: key.kind, hash: key.hash, payload: [], expiresAt: end))
        } catch StoreRefusal.alreadySpent {}
    }

    func signInKey(of factor: FactorID) -> SingleUseRecordKey { key(.factorSignIn, of: factor) }

    func signInKey(ofRecoveryCode hash: [UInt8]) -> SingleUseRecordKey { key(.factorSignIn, ofRecoveryCode: hash) }

    /// Returns the records of an undo that removes a factor and recovery codes, and the keys of those that it may restore.
    func undoneRecords(
        _ factor: FactorID?, _ codes: [[UInt8]], _ removed: RemovedFactors
    ) -> UndoneFactorRecords {
        // A link of a later change ends before this.
        let end = ports.system.now().addingTimeInterval(Double(FactorChangeNotice.undoSeconds))
        let added =
            [factor.map { key(.undoneFactor, of: $0) }].compactMap(\.self)
            + codes.map { key(.undoneFactor, ofRecoveryCode: $0) }
        return UndoneFactorRecords(
            added: added.map {
                SingleUseRecord(app: $0.app, kind: $0.kind, hash: $0.hash, payload: [], expiresAt: end)
            },
            factors: Dictionary(
                removed.factors.map { ($0.id, key(.undoneFactor, of: $0.id)) }, uniquingKeysWith: { first, _ in first }),
            recoveryCodes: Dictionary(
                removed.recoveryCodes.map { ($0, key(.undoneFactor, ofRecoveryCode: $0)) },
                uniquingKeysWith: { first, _ in first }))
    }

    private func key(_ kind: SingleUseRecord.Kind, of factor: FactorID) -> SingleUseRecordKey {
        key(kind, "factor", factor.text)
    }

    private func key(_ kind: SingleUseRecord.Kind, ofRecoveryCode hash: [UInt8]) -> SingleUseRecordKey {
        key(kind, "recovery-code", hash.base64URL)
    }

    private func key(_ kind: SingleUseRecord.Kind, _ what: String, _ id: String) -> SingleUseRecordKey {
        // The same names as before there were two kinds: records of sign-ins outlive an update.
        let purpose = kind == .factorSignIn ? "signed-in" : kind.rawValue
        return SingleUseRecordKey(
            app: app.name, kind: kind, hash: ports.keys.digest([purpose, what, id], for: .factors, app: app.name))
    }
}

extension ChallengeToken {
    /// `true` if the answer completes a sign-in.
    fileprivate var isSignIn: Bool {
        switch step {
        case .secondFactor, .passkeySignIn: true
        default: false
        }
    }
}
