/// A permission to act on a kind of resource: `resource:action`, such as `videos:write`.
///
/// Each part is 1 to 64 of the characters `a` to `z`, `0` to `9`, `_`, `.` and `-`.
public struct Permission: Hashable, Sendable {
    /// The permission's text.
    public let text: String
    /// The maximum length of the text, in bytes.
    public static let maximumBytes = 2 * maximumPartBytes + 1
    static let maximumPartBytes = 64

    /// Creates a permission from its text.
    ///
    /// - Throws: ``FieldProblem/missing`` for an empty text, ``FieldProblem/malformed`` for any other form.
    public init(_ text: String) throws(FieldProblem) {
        guard !text.isEmpty else { throw .missing }
        guard text.utf8.count <= Self.maximumBytes, let parts = Self.parts(text), parts.allSatisfy(Self.isPart) else {
            throw .malformed
        }
        self.text = text
    }

    /// Returns the resource and the action of a text; nil if it has not exactly two parts.
    static func parts(_ text: String) -> [Substring.UTF8View]? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 ? parts : nil
    }

    static func isPart(_ part: Substring.UTF8View) -> Bool {
        (1...maximumPartBytes).contains(part.count)
            && part.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The permissions that a role grants: one permission, all actions of a resource (`videos:*`), or all permissions (`*`).
public struct PermissionPattern: Hashable, Sendable {
    /// The pattern's text.
    public let text: String

    /// The pattern of all permissions.
    public static let all = PermissionPattern(checked: "*")

    private init(checked text: String) { self.text = text }

    /// Creates a pattern from its text.
    ///
    /// - Throws: ``FieldProblem/missing`` for an empty text, ``FieldProblem/malformed`` for any other form.
    public init(_ text: String) throws(FieldProblem) {
        guard !text.isEmpty else { throw .missing }
        if !text.utf8.elementsEqual(Self.all.text.utf8) {
            guard text.utf8.count <= Permission.maximumBytes, let parts = Permission.parts(text),
                Permission.isPart(parts[0]), parts[1].elementsEqual("*".utf8) || Permission.isPart(parts[1])
            else { throw .malformed }
        }
        self.text = text
    }

    /// Returns `true` if the pattern contains a permission.
    public func contains(_ permission: Permission) -> Bool {
        if self == .all { return true }
        guard text.utf8.last == UInt8(ascii: "*") else { return text.utf8.elementsEqual(permission.text.utf8) }
        return permission.text.utf8.starts(with: text.utf8.dropLast())
    }
}

/// The part of an app's data to which an assigned role is limited, such as `project:42`.
///
/// 1 to 128 ASCII letters, digits and the characters `_`, `.`, `:`, `/` and `-`. A scope has no structure for Ostiary: the role
/// holds for exactly this text.
public struct PermissionScope: Hashable, Sendable {
    /// The scope's text.
    public let text: String
    /// The maximum length of the text, in bytes.
    public static let maximumBytes = 128

    /// Creates a scope from its text.
    ///
    /// - Throws: ``FieldProblem/missing`` for an empty text, ``FieldProblem/tooLong(maximum:)``,
    ///   ``FieldProblem/malformed`` for another character.
    public init(_ text: String) throws(FieldProblem) {
        guard !text.isEmpty else { throw .missing }
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLong(maximum: Self.maximumBytes) }
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"),
                UInt8(ascii: "/"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain else { throw .malformed }
        self.text = text
    }
}

/// Permissions that an account has: in one scope, or in every scope.
public struct GrantedPermission: Hashable, Sendable {
    /// The permissions.
    public var pattern: PermissionPattern
    /// The scope in which they hold; nil for every scope.
    public var scope: PermissionScope?

    /// Creates a grant from its parts.
    public init(_ pattern: PermissionPattern, in scope: PermissionScope? = nil) {
        self.pattern = pattern
        self.scope = scope
    }

    /// Returns `true` if the grant contains a permission in a scope; without a scope, only a grant for every scope does.
    public func allows(_ permission: Permission, in scope: PermissionScope? = nil) -> Bool {
        (self.scope == nil || self.scope == scope) && pattern.contains(permission)
    }
}

extension GrantedPermission: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.permission, pattern.text)
        fields.set(.scope, scope?.text)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            try required(
                fields.parsed(.permission) { (text) throws(FieldProblem) in try PermissionPattern(text) }, .permission),
            in: try fields.scope())
    }

    /// The fields of an entry.
    package static let specification: [FieldSpec] = [.required(.permission), .optional(.scope)]
}

extension Fields {
    /// Returns the field `scope`; nil if it is absent.
    func scope() throws(AuthError) -> PermissionScope? {
        try parsed(.scope) { (text) throws(FieldProblem) in try PermissionScope(text) }
    }
}
