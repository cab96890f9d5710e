import Foundation
import OstiaryCore

/// The links that were sent to an account and are void, because it was disabled, enabled or got another address since.
///
/// Reset tokens and codes need no such record: the store deletes them.
extension AuthEngine {
    /// Returns the record of a change that voids what was sent to an account before.
    func voidedLinks(of account: AccountID, at now: Date) -> SingleUseRecord {
        let key = voidedLinksKey(of: account)
        return SingleUseRecord(
            app: key.app, kind: key.kind, hash: key.hash, payload: Array(String(now.milliseconds).utf8),
            // No such link lives longer.
            expiresAt: now.addingTimeInterval(Double(FactorChangeNotice.undoSeconds)))
    }

    /// Returns `true` if a change of the account has voided what was sent to it at a time.
    ///
    /// To be asked after the account was read: a write then compares the credential version, which a later change increments.
    func isVoid(sentAt time: Date, to account: AccountID) async throws -> Bool {
        let key = voidedLinksKey(of: account)
        let record = try await ports.store.singleUseRecord(key.kind, key.hash, in: key.app, at: ports.system.now())
        guard let record else { return false }
        guard let end = Int64(String(decoding: record.payload, as: UTF8.self)) else { return true }
        return time.milliseconds <= end
    }

    /// Returns the keyed hash under which the recipient of a message is stored.
    func recipientKey(_ recipient: Recipient) -> [UInt8] {
        switch recipient {
        case .email(let email): recipientKey(email.canonical)
        case .phoneNumber(let number): recipientKey(number.e164)
        }
    }

    /// Returns the keyed hashes of the addresses of an account.
    func recipientKeys(of account: Account) -> [[UInt8]] {
        [account.email.map(Recipient.email), account.phoneNumber.map(Recipient.phoneNumber)]
            .compactMap(\.self).map { recipientKey($0) }
    }

    private func voidedLinksKey(of account: AccountID) -> SingleUseRecordKey {
        SingleUseRecordKey(
            app: app.name, kind: .voidedLinks,
            hash: ports.keys.digest(["voided-links", account.text], for: .recipients, app: app.name))
    }
}
