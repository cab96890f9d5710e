/// Returns the public settings of the app's social identity provider.
///
/// Throws ``AuthError/notConfigured`` if there is none.
public struct GetSocialConfiguration: AuthOperation {

    /// Creates the operation, which has no parameters.
    public init() {}
}

extension GetSocialConfiguration {
    /// The result of the operation if it succeeds.
    public typealias Answer = SocialConfiguration

    /// The description of this operation, ``OperationKind/socialConfiguration``.
    public static let description = OperationDescription(
        .socialConfiguration,
        summary: "Returns the public settings of the social identity provider",
        request: FieldSet([]),
        answer: FieldSet([.domain, .clientId, .audience]),
        attempts: .browser,
        auditing: .never,
        endpoint: { _ in nil },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.domain), .required(.clientId), .required(.audience)])) })

    /// No fields: the operation has no parameters.
    public var fields: Fields { Fields() }
    /// Creates the operation from its fields.
    public init(_ fields: Fields) throws(AuthError) { self.init() }
}

/// The public settings of a social identity provider. None of them is a secret.
public struct SocialConfiguration: Hashable, Sendable {
    /// The domain of the provider's tenant, or the issuer of a provider without tenants.
    public var domain: String
    /// The app's client identifier at the provider.
    public var clientID: String
    /// The identifier of the API that the provider issues access tokens for.
    public var audience: String

    /// Creates settings from their parts.
    public init(domain: String, clientID: String, audience: String) {
        self.domain = domain
        self.clientID = clientID
        self.audience = audience
    }
}

extension SocialConfiguration: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.domain, domain)
        fields.set(.clientId, clientID)
        fields.set(.audience, audience)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            domain: try required(fields.text(.domain), .domain),
            clientID: try required(fields.text(.clientId), .clientId),
            audience: try required(fields.text(.audience), .audience))
    }
}
