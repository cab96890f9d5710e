import OstiaryCore

/// The owner of factors who is about to change them.
enum FactorOwner {
    /// A session that was authenticated recently.
    case signedIn(AuthenticatedSession)
    /// A sign-in to an account that must have a factor and has none: the factor opens the session.
    case signingIn(Account, PendingSignIn)
    /// The holder of a link that recovers an account whose passkeys are lost.
    case recovering(Account, EnrolledFactors)

    var account: Account {
        switch self {
        case .signedIn(let bearer): bearer.account
        case .signingIn(let account, _), .recovering(let account, _): account
        }
    }

    /// The id of the session; nil for a sign-in and a recovery.
    var sessionID: SessionID? {
        switch self {
        case .signedIn(let bearer): bearer.session.id
        case .signingIn, .recovering: nil
        }
    }

    /// The attribution of an operation that adds a factor: a sign-in unless a session adds it.
    func attribution(adding factor: AuthenticationMethod) -> AttemptAttribution {
        switch self {
        case .signedIn: AttemptAttribution()
        // The first factor of a new account is part of its registration.
        case .signingIn(_, let pending):
            AttemptAttribution(method: pending.method, factor: pending.method == nil ? nil : factor.factorName)
        case .recovering: AttemptAttribution(method: SignInMethod.recovery, factor: factor.factorName)
        }
    }

    /// Returns a refusal for the owner.
    func refused(_ refusal: AuthError) -> Refused { Refused(refusal, account: account.id, session: sessionID) }

    /// Returns an outcome for the owner.
    func outcome<Answer>(_ answer: Answer) -> Outcome<Answer> {
        Outcome(answer, account: account.id, session: sessionID)
    }
}

/// A factor that was added.
enum Enrolment {
    /// The factor was added by a session, or by a recovery that opens none.
    case added(recoveryCodes: [Secret<String>]?)
    /// The factor completed a sign-in, or a recovery.
    case signedIn(Outcome<SignedIn>, recoveryCodes: [Secret<String>]?)

    /// Returns the answer of the operation that added the factor.
    func outcome<Added>(
        of owner: FactorOwner, _ added: ([Secret<String>]?) -> Added
    ) -> Outcome<FactorConfirmation<Added>> {
        switch self {
        case .added(let codes): owner.outcome(.added(added(codes)))
        case .signedIn(let opened, let codes):
            Outcome(
                .signedIn(opened.answer, recoveryCodes: codes), account: opened.account, session: opened.session,
                attribution: opened.attribution)
        }
    }
}

/// A sign-in whose account has added the factor that it must have, or a recovery. The factor and the session are stored in
/// one transaction.
struct EnrolmentHandler: AuthenticationHandler {
    let authentication: Authentication

    static let action = OperationKind.answerChallenge

    var boundKey: String? { authentication.boundKey }

    func authenticate(in engine: AuthEngine) async throws -> Authentication { authentication }
}
