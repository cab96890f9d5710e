import Foundation
import OstiaryContracts
import OstiaryCore

extension AdminType where Value == String {
    /// A text.
    ///
    /// - Parameters:
    ///   - minimum: The minimum length of a request's text, in UTF-8 bytes.
    ///   - maximum: The maximum length of a request's text, in UTF-8 bytes.
    ///   - format: The format by JSON Schema, which is not checked here.
    static func text(_ minimum: Int = 0, max maximum: Int = 1024, format: String? = nil) -> AdminType {
        var schema: [JSON.Member] = [JSON.Member("type", "string")]
        if let format { schema.append(JSON.Member("format", .string(format))) }
        if minimum > 0 { schema.append(JSON.Member("minLength", .integer(minimum))) }
        schema.append(JSON.Member("maxLength", .integer(maximum)))
        return AdminType(
            schema: .object(schema), read: { json, reader in reader.text(json, minimum, maximum) },
            write: { .string($0) })
    }

    /// A text that matches a pattern on bytes.
    ///
    /// - Parameter pattern: The regular expression of the schema, which says the same as `isValid`.
    static func text(
        max maximum: Int, pattern: String, isValid: @escaping @Sendable (Substring.UTF8View) -> Bool
    ) -> AdminType {
        AdminType(
            schema: ["type": "string", "maxLength": .integer(maximum), "pattern": .string(pattern)],
            read: { json, reader in
                guard let text = reader.text(json, 0, maximum) else { return nil }
                if reader.mode == .request, !isValid(text[...].utf8) {
                    reader.fail(FieldProblem.malformed.code)
                    return nil
                }
                return text
            }, write: { .string($0) })
    }

    /// An identifier: 1 to 64 ASCII letters, digits, `-` or `_`.
    static var id: AdminType {
        text(max: 64, pattern: "^[A-Za-z0-9_-]{1,64}$") { bytes in
            (1...64).contains(bytes.count)
                && bytes.allSatisfy { PercentEncoding.isUnreserved($0) && !".~".utf8.contains($0) }
        }
    }
}

extension AdminReader {
    /// Reads a text; in an answer without its limits, which a newer server may have changed.
    mutating func text(_ json: JSON, _ minimum: Int, _ maximum: Int) -> String? {
        guard case .string(let text) = json else {
            fail(FieldProblem.mistyped.code)
            return nil
        }
        guard mode == .request else { return text }
        guard text.utf8.count <= maximum else {
            fail(FieldProblem.tooLong(maximum: maximum).code)
            return nil
        }
        guard text.utf8.count >= minimum else {
            fail(text.isEmpty ? FieldProblem.missing.code : FieldProblem.tooShort(minimum: minimum).code)
            return nil
        }
        return text
    }
}

extension AdminType where Value == Secret<String> {
    /// A secret: it is bounded, and its rules are the engine's.
    static var secret: AdminType {
        AdminType(
            schema: ["type": "string", "format": "password", "maxLength": .integer(Field.usualMaximumBytes)],
            read: { json, reader in reader.text(json, 0, Field.usualMaximumBytes).map { Secret($0) } },
            write: { .string($0.reveal()) })
    }
}

extension AdminType where Value == Int {
    /// An integer.
    static func integer(_ range: ClosedRange<Int> = 0...(.max)) -> AdminType {
        var schema: [JSON.Member] = [
            JSON.Member("type", "integer"), JSON.Member("minimum", .integer(range.lowerBound)),
        ]
        if range.upperBound < .max { schema.append(JSON.Member("maximum", .integer(range.upperBound))) }
        return AdminType(
            schema: .object(schema), form: .integer,
            read: { json, reader in
                guard case .integer(let integer) = json else {
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
                guard reader.mode == .answer || range.contains(integer) else {
                    reader.fail(AdminFieldError.outOfRange)
                    return nil
                }
                return integer
            }, write: { .integer($0) })
    }
}

extension AdminType where Value == Double {
    /// A share from 0 to 1.
    static var share: AdminType {
        AdminType(
            schema: ["type": "number", "minimum": 0, "maximum": 1], form: .other,
            read: { json, reader in
                switch json {
                case .number(let number): return number
                case .integer(let integer): return Double(integer)
                default:
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
            }, write: { .number($0) })
    }
}

extension AdminType where Value == Bool {
    /// A Boolean.
    static var flag: AdminType {
        AdminType(
            schema: ["type": "boolean"], form: .flag,
            read: { json, reader in
                guard case .boolean(let flag) = json else {
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
                return flag
            }, write: { .boolean($0) })
    }
}

extension AdminType where Value == Date {
    /// A time in UTC.
    static var time: AdminType {
        AdminType(
            schema: ["type": "string", "format": "date-time"],
            read: { json, reader in
                guard let text = reader.text(json, 0, 64) else { return nil }
                guard let time = RFC3339.date(text) else {
                    reader.fail(FieldProblem.malformed.code)
                    return nil
                }
                return time
            }, write: { .string(RFC3339.text($0)) })
    }
}

extension AdminType where Value == [String: JSON] {
    /// An object with members that the app's configuration or the kind of event determines.
    static var values: AdminType {
        AdminType(
            schema: ["type": "object"], form: .other,
            read: { json, reader in
                guard case .object(let members) = json else {
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
                return reader.dictionary(members) { json, _ in json }
            }, write: { .object(sorted($0) { $0 }) })
    }
}

extension AdminType where Value == [String: Int] {
    /// Counts by name.
    static var counts: AdminType {
        AdminType(
            schema: ["type": "object", "additionalProperties": ["type": "integer", "minimum": 0]], form: .other,
            read: { json, reader in
                guard case .object(let members) = json else {
                    reader.fail(FieldProblem.mistyped.code)
                    return nil
                }
                let integer = AdminType<Int>.integer()
                return reader.dictionary(members) { json, reader in integer.read(json, &reader) }
            }, write: { .object(sorted($0) { .integer($0) }) })
    }
}

extension AdminReader {
    /// The maximum number of members of an object without fixed members, in a request.
    private static let maximumMembers = 128

    /// Reads an object without fixed members. The JSON reader has bounded the texts' cost of comparison and refused
    /// duplicates by bytes; of canonically equivalent names the last one stays.
    mutating func dictionary<Value>(
        _ members: [JSON.Member], _ read: (JSON, inout AdminReader) -> Value?
    ) -> [String: Value]? {
        guard mode == .answer || members.count <= Self.maximumMembers else {
            fail(AdminFieldError.tooMany)
            return nil
        }
        var result: [String: Value] = [:]
        for member in members {
            if mode == .request, !member.name.isShortASCII(atMost: 64) {
                fail(AdminFieldError.unknownField)
                continue
            }
            result[member.name] = at(member.name) { reader in read(member.value, &reader) }
        }
        return result
    }
}

/// Returns the members of a dictionary by their names' bytes.
private func sorted<Value>(_ values: [String: Value], _ write: (Value) -> JSON) -> [JSON.Member] {
    values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { JSON.Member($0.key, write($0.value)) }
}

extension AdminType where Value == String {
    /// The name of an app.
    static var app: AdminType { text(1, max: 64) }
    /// The position of a page.
    static var cursor: AdminType { text(1, max: 1024) }

    /// The scope of an assignment.
    static var scope: AdminType {
        text(max: PermissionScope.maximumBytes, pattern: "^[A-Za-z0-9_.:/-]{1,128}$") { bytes in
            (try? PermissionScope(String(Substring(bytes)))) != nil
        }
    }

    /// The permissions that a role grants: a permission, all actions of a resource, or all permissions.
    static var permission: AdminType {
        text(max: Permission.maximumBytes, pattern: "^(\\*|[a-z0-9_.-]{1,64}:(\\*|[a-z0-9_.-]{1,64}))$") { bytes in
            (try? PermissionPattern(String(Substring(bytes)))) != nil
        }
    }
}

extension AdminType where Value == Int {
    /// The maximum number of items in a page.
    static var pageLimit: AdminType { integer(1...200) }
}
