public import OstiaryClient
public import OstiaryCore

/// An action that a person can start on the screens. Each has its own busy state.
public enum AuthAction: Hashable, Sendable {
    /// The sending of a form.
    case form(AuthForm)
    /// A sign-in in the browser; at one identity provider if `provider` is not `nil`.
    case browserSignIn(provider: String?)
    /// A sign-in with an ID token that the device received from the identity provider.
    case identityToken(provider: String)
    /// A sign-in with a passkey, or its answer to a challenge.
    case passkey
    /// The sending of a code that answers a challenge.
    case challengeCode
    /// An action on the account that is signed in, or on one of its sessions, without a form.
    case loadUser, loadSessions, endSession(SessionID)
    /// An action on the accounts that are signed in on this device.
    case loadAccounts, switchAccount(ClientSession.ID)
    /// The unlocking of the session, or its end.
    case unlock, signOut

    /// Returns `true` for the steps towards a session. At most one of these runs at a time.
    var isEntering: Bool {
        switch self {
        case .form(let form): form.isEntry
        case .browserSignIn, .identityToken, .passkey, .challengeCode: true
        case .loadUser, .loadSessions, .endSession, .loadAccounts, .switchAccount, .unlock, .signOut: false
        }
    }

    /// Returns `true` if the person started the action, so that its failure is shown.
    var isAsked: Bool { self != .loadUser }

    func excludes(_ other: AuthAction) -> Bool { self == other || (isEntering && other.isEntering) }

    /// Returns `true` if the action continues after its screen has disappeared.
    var outlivesItsScreen: Bool {
        switch self {
        case .signOut, .loadUser, .switchAccount, .form(.deleteAccount): true
        default: false
        }
    }

    /// Returns `true` if the result is still relevant once another session is current.
    var outlivesItsSession: Bool {
        switch self {
        case .signOut, .loadAccounts, .switchAccount: true
        // This action itself ends the session, and the end may be reported before the result.
        case .form(.deleteAccount): true
        default: isEntering
        }
    }
}
