import Foundation
import OstiaryCore

extension IssueSigningKey: EngineOperation {
    var handler: IssueSigningKeyHandler { IssueSigningKeyHandler(call: self) }
}

/// Issues the signing key of the session: the first time for an access token alone, later for the session's current
/// refresh token.
struct IssueSigningKeyHandler: OperationHandler {
    let call: IssueSigningKey

    static let action = IssueSigningKey.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<RequestSigningKey> {
        guard engine.app.requestSigning != .off else { throw AuthError.notFound }
        let session = try await engine.signedIn(call.accessToken, requiringFactor: false).session
        let isFirst = try await engine.ports.store.noteSigningKeyIssue(
            of: session.id, in: engine.app.name, at: engine.ports.system.now())
        guard isFirst || isHolder(of: session, in: engine) else {
            throw Refused(.signingKeyAlreadyIssued, account: session.accountID, session: session.id)
        }
        return Outcome(
            engine.requestSigningKeys.key(of: session.id), account: session.accountID, session: session.id)
    }

    /// Returns `true` if the caller presents the current refresh token of the session: an access token is sent with
    /// every request, a refresh token with few.
    private func isHolder(of session: Session, in engine: AuthEngine) -> Bool {
        guard engine.app.rules.refresh != nil, let token = call.refreshToken,
            let content = engine.ports.refreshTokens.read(token)
        else { return false }
        return content.session == session.id && content.generation == session.generation
    }
}
