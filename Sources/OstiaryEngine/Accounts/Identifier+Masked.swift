import OstiaryCore

extension Identifier {
    /// The identifier in masked form, for the audit log.
    var masked: String {
        switch self {
        case .email(let email): email.masked
        case .phoneNumber(let number): number.masked
        case .username(let username): username.masked
        }
    }
}
