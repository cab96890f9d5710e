import Foundation
import OstiaryCore

/// Limits the security notices that the holder of an account can cause: see decision 89. They count against no cap of
/// messages, and go to a phone number at the server's cost, or to an unproven address.
extension AuthEngine {
    /// Counts a change of an account's password or factors, of which its owner is informed.
    ///
    /// The change is limited, and not its notice: a thief must not be able to use up the notices first.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; nothing was counted then.
    func countChange(of account: Account) async throws { try await count([changeBucket(of: account)]) }

    /// Counts an event of which the owner is informed, and which must happen in any case.
    ///
    /// - Returns: `false` if the owner got as many notices as one account causes in a day.
    func mayNotify(of account: Account) async throws -> Bool {
        try await ports.store.count([changeBucket(of: account)], at: ports.system.now()) == nil
    }

    /// By recipient: an account that is deleted and registered again sends no more than one that remains.
    private func changeBucket(of account: Account) -> AttemptBucket {
        let recipient = account.email?.canonical ?? account.phoneNumber?.e164 ?? account.id.text
        return AttemptBucket(
            key: key(.codeRequest, "changes", recipient),
            limit: RateLimit(attempts: app.messages.changesPerDay, perSeconds: 86_400))
    }
}
