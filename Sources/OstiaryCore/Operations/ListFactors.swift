/// Returns the account's second factors in order of creation.
public struct ListFactors: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension ListFactors {
    /// The result of the operation if it succeeds.
    public typealias Answer = FactorList

    /// The description of this operation, ``OperationKind/listFactors``.
    public static let description = OperationDescription(
        .listFactors,
        summary: "Lists the account's second factors",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.factors, .recoveryCodesLeft, .required]),
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .get("/factors") },
        takes: { _ in [] },
        answers: { _ in
            .shape(
                .fields([.required(.factors), .required(.recoveryCodesLeft), .required(.required)]))
        })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

/// The account's second factors.
public struct FactorList: Hashable, Sendable {
    /// The factors in order of creation.
    public var factors: [EnrolledFactor]
    /// The number of unused recovery codes.
    public var recoveryCodesLeft: Int
    /// `true` if the app requires the account to have a factor.
    public var isRequired: Bool

    /// Creates a list from its parts.
    public init(factors: [EnrolledFactor], recoveryCodesLeft: Int, isRequired: Bool) {
        self.factors = factors
        self.recoveryCodesLeft = recoveryCodesLeft
        self.isRequired = isRequired
    }
}

extension FactorList: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.factors] = .list(factors.map(\.fields))
        fields[.recoveryCodesLeft] = .integer(recoveryCodesLeft)
        fields[.required] = .flag(isRequired)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard case .list(let entries) = fields[.factors] else { throw .invalid(.factors, .missing) }
        var factors: [EnrolledFactor] = []
        for entry in entries { factors.append(try EnrolledFactor(entry)) }
        // A backend other than Ostiary may leave out the rest.
        self.init(
            factors: factors, recoveryCodesLeft: try fields.integer(.recoveryCodesLeft) ?? 0,
            isRequired: try fields.flag(.required) ?? false)
    }
}
