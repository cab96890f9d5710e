/// Redeems the token of the link that ``RequestDeviceLink`` sends: the account recognizes the device from now on.
/// Starts no session.
///
/// Throws ``AuthError/challengeRefused`` for a token that is wrong, expired or used, or whose account has changed since.
public struct RedeemDeviceLink: AuthOperation {
    /// The token of the link.
    public var token: Secret<String>

    /// Creates the operation from its parts.
    public init(token: Secret<String>) {
        self.token = token
    }
}

extension RedeemDeviceLink {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/redeemDeviceLink``.
    public static let description = OperationDescription(
        .redeemDeviceLink,
        summary: "Recognizes a device by the token of a mailed link",
        request: FieldSet([.deviceLinkToken]),
        refusals: [401],
        unauthorized: .challengeRefused,
        attempts: .reset,
        device: .renewed,
        endpoint: { $0.takesPasswords ? .post("/device-link/redeem") : nil },
        takes: { _ in [.required(.deviceLinkToken)] },
        answers: { _ in .shape(.nothing) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.deviceLinkToken, token)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a missing token.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(token: try required(fields.secret(.deviceLinkToken), .deviceLinkToken))
    }
}
