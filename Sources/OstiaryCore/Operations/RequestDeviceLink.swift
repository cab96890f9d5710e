/// Sends a link by which the account recognizes a device, if there is an account; the answer is the same if there is none.
///
/// The way in for an owner on a new device after ``AuthError/deviceLinkRequired``.
public struct RequestDeviceLink: AuthOperation {
    /// The identifier of the account.
    public var identifier: Identifier

    /// Creates the operation from its parts.
    public init(identifier: Identifier) {
        self.identifier = identifier
    }
}

extension RequestDeviceLink {
    /// The result of the operation if it succeeds.
    public typealias Answer = Done

    /// The description of this operation, ``OperationKind/requestDeviceLink``.
    public static let description = OperationDescription(
        .requestDeviceLink,
        summary: "Sends a link by which the account recognizes a device, if the account exists",
        request: FieldSet([], also: [.email, .username, .phoneNumber]),
        attempts: .reset,
        status: 202,
        needsAppAssertion: true,
        endpoint: { $0.takesPasswords ? .post("/device-link") : nil },
        takes: { [.required($0.identifierField)] },
        answers: { _ in .shape(.message("If there is an account, a link was sent to its owner")) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(identifier)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) { self.init(identifier: try fields.identifier()) }
}
