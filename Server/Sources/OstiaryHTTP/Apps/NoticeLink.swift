import OstiaryCore
import OstiaryEngine

/// The link of a security notice, which leads to a page with one button: see decisions 57 and 79.
///
/// The path is that of the page below the app's base, or the provider's.
enum NoticeLink: String, CaseIterable, Sendable {
    /// "This was not me", about a sign-in.
    case signInDenial = "/deny-sign-in"
    /// "Undo", about a change of second factors.
    case factorUndo = "/undo-factor-change"

    /// Returns `true` where the page exists. The page of denials stays where notices were switched off: links that were mailed
    /// before remain valid.
    func exists(in app: AppSettings) -> Bool {
        switch self {
        case .signInDenial: true
        case .factorUndo: app.secondFactor.requirement != .off
        }
    }

    /// Returns the page with the button. Redeems nothing: mail scanners open every link.
    func page(
        of token: Secret<String>, with form: PageForm, in engine: AuthEngine
    ) async throws(AuthError) -> HostedPage {
        switch self {
        case .signInDenial: .denySignIn(form, at: try await engine.signIn(deniedBy: token))
        case .factorUndo: .undoFactorChange(form, try await engine.factorChange(undoneBy: token))
        }
    }

    /// Redeems the token of the link, and returns the page with the outcome.
    func redeem(_ token: Secret<String>, in engine: AuthEngine) async throws(AuthError) -> HostedPage {
        switch self {
        case .signInDenial: return .signInDenied(isResetSent: try await engine.denySignIn(token))
        case .factorUndo:
            let undone = try await engine.undoFactorChange(token)
            return .factorChangeUndone(undone.change, undone.outcome)
        }
    }

    /// Returns the page of a refusal: that of a link which is no longer valid, or the problem.
    func page(of refusal: AuthError) -> HostedPage {
        switch (refusal, self) {
        case (.notFound, .signInDenial): .denialLinkOver
        case (.notFound, .factorUndo): .undoLinkOver
        case (.malformedRequest, _): .problem(.malformedRequest)
        default: .problem(.refused(refusal))
        }
    }
}
