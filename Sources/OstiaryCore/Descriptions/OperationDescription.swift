/// The properties that all calls of an operation share: its fields, its default endpoint, its limits and its auditing.
///
/// The one description of the operation. The codec, the checks of a contract, the API description, the engine and the
/// client derive what they need from it. A class because every request reads it several times, and a copy of a structure
/// would retain each property.
public final class OperationDescription: Sendable {
    /// The name of the operation.
    public let kind: OperationKind
    /// The summary for the API description, in one sentence without a full stop.
    public let summary: String
    /// The requirement for an access token in the `Authorization` header.
    public let authorization: Authorization
    /// The fields of a request, besides the access token in its header.
    package let request: FieldSet
    /// The fields of an answer; nil for an operation whose answer has none.
    package let answer: FieldSet?
    /// The statuses of refusals, besides those that every operation has.
    package let refusals: [Int]
    /// The meaning of a 401 without a code, as an app's original backend sends it.
    package let unauthorized: AuthError
    /// The kind under which attempts are counted, unless a call determines another one.
    public let attempts: AttemptKind
    /// The outcomes that are written to the audit log.
    public let auditing: Auditing
    /// The status of a successful answer with content; nil for 200.
    package let status: Int?
    /// `true` if the operation can complete a sign-in: its answer is then that of ``AnswerChallenge``, with the recovery
    /// codes.
    package let completesSignIn: Bool
    /// `true` if a request can carry account attributes.
    package let takesAttributes: Bool
    /// `true` if an app with App Attest requires an assertion for the operation.
    public let needsAppAssertion: Bool
    /// `true` if the answer is a user.
    package let answersUser: Bool
    /// Returns the default endpoint for an app with these rules, without fields; nil if it does not have the operation.
    package let endpoint: @Sendable (AppRules) -> Endpoint?
    /// Returns the default fields of a request.
    package let takes: @Sendable (AppRules) -> [FieldSpec]
    /// Returns the default answer.
    package let answers: @Sendable (AppRules) -> DefaultAnswer

    /// `true` if the operation signs in.
    package let opensSession: Bool
    /// `true` if a request presents the secret of the device, in a header: by it the account recognizes the device.
    package let presentsDevice: Bool
    /// `true` if an answer carries a new secret of the device, in a header.
    package let answersDevice: Bool

    /// A requirement for an access token: ignored, accepted if present, or mandatory.
    public enum Authorization: Hashable, Sendable { case none, optional, required }

    /// The outcomes of an operation that are written to the audit log.
    public enum Auditing: Hashable, Sendable {
        /// Every outcome.
        case always
        /// Refusals, and successes that concern an account: the others changed nothing, and any unauthenticated caller
        /// can request them.
        case identified
        /// Refusals only, for frequent operations: the session holds the time of the last success.
        case refusals
        /// Nothing, for reads: they change nothing, and a client with an old token would fill the log.
        case never
    }

    package init(
        _ kind: OperationKind, summary: String, authorization: Authorization = .none, request: FieldSet,
        answer: FieldSet? = nil, refusals: [Int] = [], unauthorized: AuthError = .invalidAccessToken,
        attempts: AttemptKind, auditing: Auditing = .always, status: Int? = nil, completesSignIn: Bool = false,
        takesAttributes: Bool = false, device: DeviceRecognition? = nil, needsAppAssertion: Bool = false,
        endpoint: @escaping @Sendable (AppRules) -> Endpoint?, takes: @escaping @Sendable (AppRules) -> [FieldSpec],
        answers: @escaping @Sendable (AppRules) -> DefaultAnswer
    ) {
        self.kind = kind
        self.summary = summary
        self.authorization = authorization
        self.request = request
        self.answer = answer
        self.refusals = refusals
        self.unauthorized = unauthorized
        self.attempts = attempts
        self.auditing = auditing
        self.status = status
        self.completesSignIn = completesSignIn
        self.takesAttributes = takesAttributes
        self.needsAppAssertion = needsAppAssertion
        answersUser = answer == .user
        opensSession = answer == .signedIn
        presentsDevice = opensSession || device != nil
        answersDevice = opensSession || device == .renewed
        self.endpoint = endpoint
        self.takes = takes
        self.answers = answers
    }
}

/// The part that the device has in an operation that does not sign in.
package enum DeviceRecognition: Sendable {
    /// A request presents the secret of the device.
    case presented
    /// A request presents the secret of the device, and the answer carries the next one.
    case renewed
}

/// The default answer of an operation.
package enum DefaultAnswer: Sendable {
    /// A shape of its own.
    case shape(AnswerShape)
    /// The answer that the contract specifies for another operation; the shape if it specifies none.
    case same(as: OperationKind, otherwise: AnswerShape)
    /// The contract's user.
    case user
}

/// The fields that a request or an answer must and may contain.
package struct FieldSet: Hashable, Sendable {
    /// The fields that must be present.
    package var required: Set<Field>
    /// All fields that may be present, including the required ones.
    package var allowed: Set<Field>

    /// - Parameter also: The fields that are allowed but not required.
    package init(_ required: Set<Field>, also: Set<Field> = []) {
        self.required = required
        self.allowed = required.union(also)
    }

    /// The tokens of a session.
    package static let tokens = FieldSet([.accessToken], also: [.refreshToken, .tokenType, .expiresIn])
    /// The tokens of a new session, and its user.
    package static let signedIn = FieldSet([.accessToken], also: [.refreshToken, .tokenType, .expiresIn, .user])
    /// A user.
    package static let user = FieldSet(
        [.id], also: [.email, .username, .phoneNumber, .fullName, .roles, .isAdmin, .authProvider])
}

extension AppRules {
    /// `true` if the app itself accepts passwords.
    var takesPasswords: Bool { identifier != .subject }

    /// `true` if the app sends one-time codes.
    var takesCodes: Bool { identifier == .phoneNumber }

    /// The field that carries the identifier that users sign in with.
    package var identifierField: Field {
        switch identifier {
        case .email: .email
        case .phoneNumber: .phoneNumber
        case .username, .subject: .username
        }
    }

    /// The options of a sign-in, for contracts with two refresh lifetimes.
    var sessionOptions: [FieldSpec] {
        refresh?.shortSeconds == nil ? [] : [.optional(.rememberMe), .optional(.deviceInfo)]
    }

    /// The fields of an answer with tokens.
    var tokenFields: [FieldSpec] {
        refresh == nil
            ? [.required(.accessToken), .required(.tokenType), .required(.expiresIn)]
            : [.required(.accessToken), .required(.refreshToken), .required(.expiresIn)]
    }
}
