/// A value in a body or a query of the admin API, described by its members.
///
/// The members are the only description of its form: reading, writing and the OpenAPI schema follow from them.
public protocol AdminValue: Hashable, Sendable {
    /// The name of the value's schema in the OpenAPI document.
    static var schemaName: String { get }
    /// The members of the JSON object, in the order in which they are written.
    static var members: [AdminMember<Self>] { get }
    /// Creates a value without content, whose members are set afterwards.
    init()
}

/// A value without members: the query or the body of an operation that has none.
public struct AdminEmpty: AdminValue {
    /// The name of the value's schema.
    public static let schemaName = "Empty"
    /// No members.
    public static let members: [AdminMember<AdminEmpty>] = []
    /// Creates the value.
    public init() {}
}
