/// The answer to the operation that confirms a new factor: ``ConfirmTOTP`` or ``RegisterPasskey``.
public enum FactorConfirmation<Added: OperationAnswer>: Hashable, Sendable {
    /// The factor was added to the account of a session.
    case added(Added)
    /// The factor was added by a sign-in to an account that must have one, and completed it. The recovery codes are shown
    /// once.
    case signedIn(SignedIn, recoveryCodes: [Secret<String>]?)

    /// The factor that a session added; nil for one that completed a sign-in.
    public var added: Added? {
        guard case .added(let added) = self else { return nil }
        return added
    }
}

extension FactorConfirmation: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        switch self {
        case .added(let added): return added.fields
        case .signedIn(let signedIn, let codes):
            var fields = signedIn.fields
            fields[.recoveryCodes] = RecoveryCodes(codes: codes).fields[.recoveryCodes]
            return fields
        }
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        if fields[.accessToken] == nil {
            self = .added(try Added(fields))
        } else {
            self = .signedIn(try SignedIn(fields), recoveryCodes: try RecoveryCodes(fields).codes)
        }
    }
}
