public import Foundation

/// Requests a more recent or a stronger authentication of the session.
///
/// Throws ``AuthError/stepUpRequired(_:)`` with the challenge to answer, unless the session has it already. Source: RFC
/// 9470.
public struct StepUp: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The required level; nil for any.
    public var level: AuthenticationLevel?
    /// The maximum age of the authentication, in seconds; nil for any age.
    public var maximumAgeSeconds: Int?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, level: AuthenticationLevel? = nil, maximumAgeSeconds: Int? = nil) {
        self.accessToken = accessToken
        self.level = level
        self.maximumAgeSeconds = maximumAgeSeconds
    }
}

extension StepUp {
    /// The result of the operation if it succeeds.
    public typealias Answer = SessionAuthentication

    /// The description of this operation, ``OperationKind/stepUp``.
    public static let description = OperationDescription(
        .stepUp,
        summary: "Requests a more recent or a stronger authentication of the session",
        authorization: .required,
        request: FieldSet([], also: [.acr, .maxAge]),
        answer: FieldSet([.acr, .authTime, .amr]),
        refusals: [403],
        attempts: .other,
        auditing: .refusals,
        endpoint: { _ in .post("/step-up") },
        takes: { _ in [.optional(.acr), .optional(.maxAge)] },
        answers: { _ in .shape(.fields([.required(.acr), .required(.authTime), .required(.amr)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.acr, level?.rawValue)
        fields[.maxAge] = maximumAgeSeconds.map { .integer($0) }
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.bearer()
        var level: AuthenticationLevel?
        if let text = try fields.text(.acr) {
            guard let known = AuthenticationLevel(rawValue: text) else { throw .invalid(.acr, .malformed) }
            level = known
        }
        let age = try fields.integer(.maxAge)
        guard age.map({ $0 >= 0 }) ?? true else { throw .invalid(.maxAge, .malformed) }
        self.init(accessToken: accessToken, level: level, maximumAgeSeconds: age)
    }
}

/// The authentication of a session. Source: RFC 9470 §6, RFC 8176.
public struct SessionAuthentication: Hashable, Sendable {
    /// The level, `acr`.
    public var level: AuthenticationLevel
    /// The time of the authentication, `auth_time`: at `aal2` that of the older one of the two factors.
    public var time: Date
    /// The authentication method references, `amr`, sorted.
    public var methods: [String]

    /// Creates the answer from its parts.
    public init(level: AuthenticationLevel, time: Date, methods: [String]) {
        self.level = level
        self.time = time
        self.methods = methods
    }
}

extension SessionAuthentication: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.acr, level.rawValue)
        fields[.authTime] = .integer(Int(time.timeIntervalSince1970.rounded(.down)))
        fields[.amr] = .texts(methods)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let level = AuthenticationLevel(rawValue: try required(fields.text(.acr), .acr)) else {
            throw .invalid(.acr, .malformed)
        }
        let time = try required(fields.integer(.authTime), .authTime)
        self.init(
            level: level, time: Date(timeIntervalSince1970: Double(time)),
            methods: try required(fields.texts(.amr), .amr))
    }
}
