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
    /// An action on the devices that the account recognizes.
    case loadDevices, forgetDevice(DeviceID)
    /// The request for a link by which the account recognizes this device, and the use of that link.
    case requestDeviceLink, redeemDeviceLink
    /// An action on the second factors of the account, without a form.
    case loadFactors, addTOTP, addPasskey, removeFactor(FactorID), replaceRecoveryCodes
    /// The sending of a code, and an answer with a passkey, where the server requires a step-up.
    case stepUpCode, stepUpPasskey
    /// An action on the accounts that are signed in on this device.
    case loadAccounts, switchAccount(ClientSession.ID)
    /// The unlocking of the session, or its end.
    case unlock, signOut

    /// Returns `true` for the steps towards a session. At most one of these runs at a time.
    var isEntering: Bool {
        switch self {
        case .form(let form): form.isEntry
        case .browserSignIn, .identityToken, .passkey, .challengeCode, .requestDeviceLink, .redeemDeviceLink: true
        case .loadUser, .loadSessions, .endSession, .loadDevices, .forgetDevice, .loadAccounts, .switchAccount, .unlock,
            .signOut, .loadFactors, .addTOTP, .addPasskey, .removeFactor, .replaceRecoveryCodes, .stepUpCode,
            .stepUpPasskey:
            false
        }
    }

    /// Returns `true` for an answer to a step-up. At most one of these runs at a time.
    var isStepUp: Bool { self == .form(.stepUp) || self == .stepUpCode || self == .stepUpPasskey }

    /// Returns `true` for an answer that a passkey gives, which no field shows.
    var isByPasskey: Bool { self == .passkey || self == .stepUpPasskey || self == .addPasskey }

    /// Returns `true` if the person started the action, so that its failure is shown.
    var isAsked: Bool { self != .loadUser && self != .loadFactors }

    func excludes(_ other: AuthAction) -> Bool {
        self == other || (isEntering && other.isEntering) || (isStepUp && other.isStepUp)
    }

    /// Returns `true` for a step of adding a factor.
    var addsFactor: Bool { self == .addTOTP || self == .form(.confirmTOTP) || self == .addPasskey }

    /// Returns `true` if the answer may contain recovery codes, which are not to be had again.
    var bringsRecoveryCodes: Bool {
        self == .form(.confirmTOTP) || self == .addPasskey || self == .replaceRecoveryCodes
    }

    /// Returns `true` if the action continues after its screen has disappeared.
    var outlivesItsScreen: Bool {
        switch self {
        case .signOut, .loadUser, .switchAccount, .form(.deleteAccount): true
        case .loadFactors: true
        default: bringsRecoveryCodes
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
