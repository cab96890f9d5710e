import Foundation
import OstiaryCore

extension AuditEvent {
    /// `true` for the refusal of a sign-in to a known account, which is an ``EventType/signInRefused`` event too. A sign-in
    /// that continues with another step, or that the server could not decide, is none.
    public var isRefusedSignIn: Bool {
        guard account != nil, let kind = OperationKind(rawValue: action) else { return false }
        return Self.signIns.contains(kind) && !Self.otherOutcomes.contains(outcome)
    }

    /// The event of this refusal.
    ///
    /// - Parameters:
    ///   - id: The event's id.
    ///   - snapshot: The fields of the account.
    func refusedSignIn(id: String, _ snapshot: EventSnapshot, at now: Date) -> AccountEvent {
        AccountEvent(
            id: id, type: EventType.signInRefused.rawValue, app: app, account: account, session: session, at: now,
            snapshot: snapshot, details: EventDetails(operation: action, code: outcome))
    }

    private static let signIns: Set<OperationKind> = [
        .signIn, .verifyCode, .answerChallenge, .completeBrowserSignIn, .completeSocialSignIn, .signInWithIdentityToken,
        .signInWithPasskey,
    ]

    private static let otherOutcomes = Set(
        [
            "ok", "challenge_required", "factor_required", "confirmation_required", "busy", "unavailable",
            "not_configured",
        ])
}
