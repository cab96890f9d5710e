/// Something that an administrator does to an account, on a page of its own that confirms it. The raw value is the last part
/// of the page's path.
enum PersonAction: String, CaseIterable, Hashable {
    case edit, roles, disable, enable, delete, password
    case passwordReset = "password-reset"
    case invite
    case endSession = "end-session"
    case endSessions = "end-sessions"
    case removeFactor = "remove-factor"
    case resetFactors = "reset-factors"
    case unlinkIdentity = "unlink-identity"
    case export

    /// `true` if the page asks for a recent authentication with two factors, since the action takes something away from the
    /// person, gives access, or discloses everything about the person.
    var needsStepUp: Bool {
        switch self {
        case .passwordReset, .invite, .endSession: false
        // Another address of an account is another way in to it.
        case .edit, .enable, .roles, .disable, .delete, .password, .endSessions, .removeFactor, .resetFactors,
            .unlinkIdentity,
            .export:
            true
        }
    }

    var isDangerous: Bool {
        switch self {
        case .edit, .enable, .roles, .export, .passwordReset, .invite, .endSession: false
        case .disable, .delete, .password, .endSessions, .removeFactor, .resetFactors, .unlinkIdentity: true
        }
    }
}
