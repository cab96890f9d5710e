import OstiaryCore

extension Recipient {
    /// The address or number in masked form, for logs.
    public var masked: String {
        switch self {
        case .email(let email): email.masked
        case .phoneNumber(let number): number.masked
        }
    }
}
