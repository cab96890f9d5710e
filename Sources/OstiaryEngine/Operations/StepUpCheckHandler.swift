public import OstiaryCore

/// A change of an account that requires a recent authentication.
public enum ProtectedChange: Hashable, Sendable {
    /// A change of the second factors or recovery codes.
    case factors
    /// A change of the password, whose request contains the current one.
    case password
}

/// Checks whether a session is authenticated well enough for a change. Reads only; the change itself is checked again.
struct StepUpCheckHandler: OperationHandler {
    let accessToken: Secret<String>
    let change: ProtectedChange

    static let action = StepUp.kind
    static let name = "checkStepUp"
    static let auditing = Auditing.never

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        switch change {
        case .factors: _ = try await engine.factorOwner(accessToken)
        case .password:
            try engine.requireOwnPasswords()
            try await engine.requireStepUp(try await engine.signedIn(accessToken), confirming: .password)
        }
        return Outcome(Done())
    }
}

extension AuthEngine {
    /// Checks that a session is authenticated well enough for a change, so that a page can ask for a further factor before
    /// it shows the form of the change. Changes nothing.
    ///
    /// - Throws: `AuthError.stepUpRequired(_:)` with a challenge of the methods that would advance it; `AuthError.notFound`
    ///   for an app without second factors; `AuthError.notConfigured` where an external credential provider keeps the app's
    ///   passwords; the errors of ``bearer(of:)``; `AuthError.tooManyAttempts(retryAfterSeconds:)`.
    public func checkStepUp(_ accessToken: Secret<String>, for change: ProtectedChange) async throws(AuthError) {
        _ = try await run(StepUpCheckHandler(accessToken: accessToken, change: change))
    }
}
