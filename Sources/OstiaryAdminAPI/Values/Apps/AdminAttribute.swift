/// The declaration of an account attribute of an app.
public struct AdminAttribute: AdminValue {
    /// The name, a key of ``AdminAccount/attributes``.
    public var name: String = ""
    /// The type of the values.
    public var type: AdminAttributeType = .string
    /// The right to write the attribute.
    public var access: AdminAttributeAccess = .admin
    /// `true` if the attribute is part of the user in the app's answers.
    public var isVisible: Bool = false

    /// The name of the value's schema.
    public static let schemaName = "Attribute"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAttribute>] = [
        .required("name", \.name, .text()),
        .required("type", \.type, .name),
        .required("access", \.access, .name),
        .required("visible", \.isVisible, .flag),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
