public import OstiaryContracts
import OstiaryCore

/// A member of a value: its name, the property that holds it, and its form.
public struct AdminMember<Root: Sendable>: Sendable {
    /// The name in JSON, or of the parameter.
    public let name: String
    /// The presence of the member.
    public let presence: AdminPresence
    /// The JSON Schema of the member, with null where it may be null.
    public let schema: JSON
    /// The JSON Schema of the member's value.
    let valueSchema: JSON
    let form: AdminForm
    let read: @Sendable (JSON, inout Root, inout AdminReader) -> Void
    let write: @Sendable (Root) -> JSON?

    /// The property that holds the member's value.
    typealias Property<Value> = any WritableKeyPath<Root, Value> & Sendable

    private init<Value>(
        _ name: String, _ presence: AdminPresence, _ type: AdminType<Value>, isNullable: Bool,
        read: @escaping @Sendable (JSON, inout Root, inout AdminReader) -> Void,
        write: @escaping @Sendable (Root) -> JSON?
    ) {
        self.name = name
        self.presence = presence
        valueSchema = type.schema
        schema = isNullable ? type.schema.orNull : type.schema
        form = type.form
        self.read = read
        self.write = write
    }

    /// A member that must be there.
    static func required<Value>(
        _ name: String, _ property: Property<Value>, _ type: AdminType<Value>
    ) -> Self {
        Self(
            name, .required, type, isNullable: false,
            read: { json, root, reader in
                guard json != .null else { return reader.fail(FieldProblem.missing.code) }
                if let value = type.read(json, &reader) { root[keyPath: property] = value }
            }, write: { type.write($0[keyPath: property]) })
    }

    /// A member of a merge patch whose value can be replaced and not removed.
    static func replaceable<Value>(
        _ name: String, _ property: Property<Value?>, _ type: AdminType<Value>
    ) -> Self {
        Self(
            name, .optional, type, isNullable: false,
            read: { json, root, reader in
                guard json != .null else { return reader.fail(FieldProblem.missing.code) }
                if let value = type.read(json, &reader) { root[keyPath: property] = value }
            }, write: { $0[keyPath: property].map(type.write) })
    }

    /// A member that is null without a value.
    static func nullable<Value>(
        _ name: String, _ property: Property<Value?>, _ type: AdminType<Value>
    ) -> Self {
        Self(
            name, .nullable, type, isNullable: true,
            read: { json, root, reader in
                guard json != .null else { return }
                if let value = type.read(json, &reader) { root[keyPath: property] = value }
            }, write: { $0[keyPath: property].map(type.write) ?? .null })
    }

    /// A member that is left out without a value; null stands for no value too.
    static func optional<Value>(
        _ name: String, _ property: Property<Value?>, _ type: AdminType<Value>
    ) -> Self {
        Self(
            name, .optional, type, isNullable: true,
            read: { json, root, reader in
                guard json != .null else { return }
                if let value = type.read(json, &reader) { root[keyPath: property] = value }
            }, write: { $0[keyPath: property].map(type.write) })
    }

    /// A member of a merge patch.
    static func patch<Value>(
        _ name: String, _ property: Property<AdminChange<Value>>, _ type: AdminType<Value>
    ) -> Self {
        Self(
            name, .optional, type, isNullable: true,
            read: { json, root, reader in
                if json == .null {
                    root[keyPath: property] = .remove
                } else if let value = type.read(json, &reader) {
                    root[keyPath: property] = .set(value)
                }
            },
            write: { root in
                switch root[keyPath: property] {
                case .keep: nil
                case .remove: .null
                case .set(let value): type.write(value)
                }
            })
    }
}
