import Foundation
import OstiaryCore

extension AuthEngine {
    /// Sends a new one-time code, which replaces the one before. A test number gets its fixed code and no message.
    ///
    /// - Parameters:
    ///   - id: The id of the code.
    ///   - name: The name under which the code is found again.
    ///   - buckets: The buckets that the message counts against, beside those of all messages.
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/invalid(_:_:)`` for a phone number of a
    ///   country that gets no messages.
    func sendCode(
        _ id: String, keptFor name: String, to recipient: Recipient, within buckets: [AttemptBucket?]
    ) async throws {
        let (policy, system) = (app.codes, ports.system)
        let now = system.now()
        var test: OneTimeCode?
        if case .phoneNumber(let number) = recipient {
            test = policy.testNumbers[number].flatMap { now < $0.until ? $0.code : nil }
            if test == nil { try requireCallingCode(of: number) }
        }
        let code = try test ?? OneTimeCode(system.randomDigits(policy.digits))
        let pending = PendingCode(
            id: id, app: app.name, recipient: recipientKey(name), codeHash: hash(code, id: id),
            expiresAt: now.addingTimeInterval(Double(policy.lifetimeSeconds)), triesLeft: policy.tries)
        guard test == nil else { return try await ports.store.replace(with: pending) }
        let wait = try await send(
            .oneTimeCode(code, lifetimeSeconds: policy.lifetimeSeconds), to: recipient, within: buckets,
            keeping: .code(pending))
        if let wait { throw AuthError.tooManyAttempts(retryAfterSeconds: wait) }
    }

    func hash(_ code: OneTimeCode, id: String) -> [UInt8] {
        ports.keys.digest([id, code.reveal()], for: .codes, app: app.name)
    }

    /// Returns the keyed hash under which a recipient is stored.
    func recipientKey(_ recipient: String) -> [UInt8] {
        ports.keys.digest([recipient], for: .recipients, app: app.name)
    }
}
