public import OstiaryClient
public import OstiaryCore

/// What a person can set going. Each is busy by itself.
public enum AuthAction: Hashable, Sendable {
    case signIn, register, confirmRegistration, requestCode, verifyCode, answerChallenge
    /// In the browser; with one of the app's identity providers where one was chosen.
    case browserSignIn(provider: String?)
    /// With a token that the device got from the identity provider itself.
    case identityToken(provider: String)
    case requestPasswordReset, resetPassword
    case loadUser, updateProfile, changePassword, loadSessions, endSession(SessionID), deleteAccount
    case loadAccounts, switchAccount(ClientSession.ID)
    case unlock, signOut

    /// Whether it is on the way to a session. Of these one runs at a time.
    var isEntering: Bool {
        switch self {
        case .signIn, .register, .confirmRegistration, .requestCode, .verifyCode, .answerChallenge, .browserSignIn,
            .identityToken, .requestPasswordReset, .resetPassword:
            true
        case .loadUser, .updateProfile, .changePassword, .loadSessions, .endSession, .deleteAccount, .loadAccounts,
            .switchAccount, .unlock, .signOut:
            false
        }
    }

    /// Whether it is somebody's tap, and its failure something to be told.
    var isAsked: Bool { self != .loadUser }

    func excludes(_ other: AuthAction) -> Bool { self == other || (isEntering && other.isEntering) }

    /// Whether it goes on when the screen that began it is left.
    var outlivesItsScreen: Bool {
        switch self {
        case .signOut, .loadUser, .switchAccount, .deleteAccount: true
        default: false
        }
    }

    /// Whether its answer still means something once another session is in use.
    var outlivesItsSession: Bool {
        switch self {
        case .signOut, .loadAccounts, .switchAccount: true
        // The end of the session is what it brings about, and may be heard of first.
        case .deleteAccount: true
        default: isEntering
        }
    }
}
