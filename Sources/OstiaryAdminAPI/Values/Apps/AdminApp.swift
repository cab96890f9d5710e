/// An app of the server.
public struct AdminApp: AdminValue {
    /// The name, by which paths and filters refer to the app.
    public var name: String = ""
    /// The title that people see.
    public var title: String = ""
    /// The name of its contract.
    public var contract: String = ""
    /// The path of its API.
    public var basePath: String = ""
    /// The identity providers that it accepts.
    public var identitySources: [AdminIdentitySource] = []
    /// The account attributes that it declares.
    public var attributes: [AdminAttribute] = []

    /// The name of the value's schema.
    public static let schemaName = "App"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminApp>] = [
        .required("name", \.name, .app),
        .required("title", \.title, .text()),
        .required("contract", \.contract, .text()),
        .required("base_path", \.basePath, .text()),
        .required("identity_sources", \.identitySources, .list(.object)),
        .required("attributes", \.attributes, .list(.object)),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
