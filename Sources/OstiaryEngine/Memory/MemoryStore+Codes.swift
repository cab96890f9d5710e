public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Keeps a code, and voids every earlier one for the same recipient in the app.
    ///
    /// - Throws: ``DuplicateKey`` if a code of another recipient has the same id.
    public func replace(with code: PendingCode) throws {
        try transaction { tables throws in
            try tables.checkNew(.code(code))
            tables.keep(.code(code))
        }
    }

    /// Takes one of the tries of the live code for `recipient`; returns `nil` if there is none.
    public func takeTry(recipient: [UInt8], id: String?, in app: AppName, at now: Date) -> PendingCode? {
        transaction { tables in
            let key = RecipientKey(app: app, recipient: recipient)
            guard var code = tables.codes[key], code.isLive(at: now),
                id.map({ $0.utf8.elementsEqual(code.id.utf8) }) ?? true
            else { return nil }
            code.triesLeft -= 1
            tables.codes[key] = code
            return code
        }
    }

    /// Returns the live code for `recipient`, without taking a try; `nil` if there is none.
    public func code(for recipient: [UInt8], in app: AppName, at now: Date) -> PendingCode? {
        transaction { tables in
            guard let code = tables.codes[RecipientKey(app: app, recipient: recipient)], code.isLive(at: now) else {
                return nil
            }
            return code
        }
    }

    /// Gives back the try that a correct guess took.
    public func giveTryBack(_ id: String, in app: AppName) {
        transaction { tables in
            guard let key = tables.codeKey(id, in: app) else { return }
            tables.codes[key]?.triesLeft += 1
        }
    }

    /// Returns the account whose password a live reset token may set; `nil` if there is none.
    public func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) -> AccountID? {
        transaction { tables in
            guard let token = tables.resetTokenKey(hash, in: app).flatMap({ tables.resetTokens[$0] }),
                token.expiresAt > now.asStored
            else { return nil }
            return token.account
        }
    }
}

extension PendingCode {
    fileprivate func isLive(at now: Date) -> Bool { expiresAt > now.asStored && triesLeft > 0 }
}

extension MemoryTables {
    func codeKey(_ id: String, in app: AppName) -> RecipientKey? {
        codes.first { $0.key.app == app && $0.value.id.utf8.elementsEqual(id.utf8) }?.key
    }

    func resetTokenKey(_ hash: [UInt8], in app: AppName) -> RecipientKey? {
        resetTokens.first { $0.key.app == app && $0.value.hash == hash }?.key
    }

    /// - Throws: ``MemoryStore/DuplicateKey`` if a secret of another recipient has the same id or hash.
    func checkNew(_ secret: PendingSecret) throws(MemoryStore.DuplicateKey) {
        let known =
            switch secret {
            case .code(let code): codeKey(code.id, in: code.app)
            case .resetToken(let token): resetTokenKey(token.hash, in: token.app)
            }
        guard known == nil || known == secret.key else { throw MemoryStore.DuplicateKey() }
    }

    /// Keeps a secret that was checked in the same transaction, and voids the earlier one for the same recipient.
    mutating func keep(_ secret: PendingSecret) {
        switch secret {
        case .code(var code):
            code.expiresAt = code.expiresAt.asStored
            codes[secret.key] = code
        case .resetToken(var token):
            token.expiresAt = token.expiresAt.asStored
            // The account may have been deleted in the meantime; the token then has no account.
            token.account = token.account.flatMap { apps[token.app]?.rows[$0]?.account.id }
            resetTokens[secret.key] = token
        }
    }
}

extension PendingSecret {
    fileprivate var key: RecipientKey {
        switch self {
        case .code(let code): RecipientKey(app: code.app, recipient: code.recipient)
        case .resetToken(let token): RecipientKey(app: token.app, recipient: token.recipient)
        }
    }
}
