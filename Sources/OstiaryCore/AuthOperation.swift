/// An operation of an ``AuthService``, with its parameters as properties.
///
/// Everything that depends on the operation stands beside its type: its ``description``, from which a contract's
/// default endpoint, the API description and the limits derive, and its ``fields``.
public protocol AuthOperation: Hashable, Sendable {
    /// The result of the operation if it succeeds.
    associatedtype Answer: OperationAnswer
    /// The properties that all calls of the operation share.
    static var description: OperationDescription { get }
    /// The parameters by canonical field name.
    var fields: Fields { get }
    /// Creates the operation from the fields of a request; the inverse of ``fields``.
    ///
    /// - Throws: ``AuthError/invalid(_:_:)`` for a field that is missing or not acceptable; each operation documents
    ///   its further cases.
    init(_ fields: Fields) throws(AuthError)
}

extension AuthOperation {
    /// The name of the operation, under which a contract lists its endpoint.
    public static var kind: OperationKind { description.kind }
}

/// The result of an operation that succeeded.
public protocol OperationAnswer: Hashable, Sendable {
    /// The content by canonical field name.
    var fields: Fields { get }
    /// Creates the answer from its fields; the inverse of ``fields``.
    ///
    /// - Throws: ``AuthError/invalid(_:_:)`` for a field that is missing or not acceptable.
    init(_ fields: Fields) throws(AuthError)
    /// The secret of the device, which a header carries beside the fields; nil for every answer but ``SignedIn``, and that
    /// of ``ResetPassword``.
    var deviceToken: Secret<String>? { get }
    /// Returns the answer with the secret of the device, which arrived in a header.
    func carrying(deviceToken: Secret<String>) -> Self
}

extension OperationAnswer {
    /// No secret of the device.
    public var deviceToken: Secret<String>? { nil }
    /// Returns the answer unchanged: it has no secret of the device.
    public func carrying(deviceToken: Secret<String>) -> Self { self }
}

/// The result of an operation that returns no value if it succeeds.
public struct Done: OperationAnswer {
    /// The secret of a device that the operation recognizes; nil for none.
    public var deviceToken: Secret<String>?

    /// Creates the empty result.
    public init(deviceToken: Secret<String>? = nil) { self.deviceToken = deviceToken }

    /// No fields: the answer has no content.
    public var fields: Fields { Fields() }
    /// Creates the empty result; every set of fields is accepted.
    public init(_ fields: Fields) throws(AuthError) {}

    /// Returns the result with the secret of the device.
    public func carrying(deviceToken: Secret<String>) -> Done { Done(deviceToken: deviceToken) }
}
