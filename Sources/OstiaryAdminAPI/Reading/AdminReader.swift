public import OstiaryContracts
import OstiaryCore

/// Reads values from JSON and from queries, and collects every problem with its position.
public struct AdminReader {
    /// The end that reads.
    public enum Mode: Hashable, Sendable {
        /// A server reads a request: unknown members, unknown names and texts beyond their limit are problems.
        case request
        /// A client reads an answer, which a newer server may have extended: unknown members are ignored, unknown names kept.
        case answer
    }

    /// The maximum number of problems that are collected.
    public static let maximumErrors = 16
    /// The maximum length of an unknown member's name that a pointer repeats, in bytes.
    private static let maximumNameBytes = 64

    let mode: Mode
    private(set) var errors: [AdminFieldError] = []

    init(_ mode: Mode) { self.mode = mode }

    /// Adds a problem of the value that is being read.
    mutating func fail(_ code: String) { fail("", code) }

    mutating func fail(_ pointer: String, _ code: String) {
        guard errors.count < Self.maximumErrors else { return }
        errors.append(AdminFieldError(pointer: pointer, code: code))
    }

    /// Runs a part of the reading whose pointers begin with a segment.
    mutating func at<Result>(_ segment: String, _ read: (inout AdminReader) -> Result) -> Result {
        let count = errors.count
        let result = read(&self)
        for index in errors.indices.dropFirst(count) {
            errors[index].pointer = AdminFieldError.segment(segment) + errors[index].pointer
        }
        return result
    }

    /// Reads an object.
    ///
    /// - Returns: The value, with the content of a new one for each member that has a problem.
    mutating func object<Value: AdminValue>(_ type: Value.Type, _ json: JSON) -> Value {
        var value = Value()
        guard case .object(let found) = json else {
            fail(FieldProblem.mistyped.code)
            return value
        }
        let members = Value.members
        var isPresent = [Bool](repeating: false, count: members.count)
        for member in found {
            guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) else {
                if mode == .request { failUnknown(member.name) }
                continue
            }
            isPresent[index] = true
            at(member.name) { reader in members[index].read(member.value, &value, &reader) }
        }
        for (member, isPresent) in zip(members, isPresent) where !isPresent && member.presence == .required {
            fail(AdminFieldError.segment(member.name), FieldProblem.missing.code)
        }
        return value
    }

    private mutating func failUnknown(_ name: String) {
        let isShort = name.utf8.count <= Self.maximumNameBytes
        fail(isShort ? AdminFieldError.segment(name) : "", AdminFieldError.unknownField)
    }

    /// Returns the value, or throws the problems that were collected.
    func finish<Value>(_ value: Value) throws(AdminInputProblem) -> Value {
        guard errors.isEmpty else { throw .invalid(errors) }
        return value
    }
}

extension AdminValue {
    /// Reads a value from a body.
    ///
    /// - Throws: ``AdminInputProblem`` for bytes that are not strict JSON of this form.
    public static func read(_ bytes: [UInt8], as mode: AdminReader.Mode) throws(AdminInputProblem) -> Self {
        let json: JSON
        do { json = try JSON.read(bytes) } catch { throw .malformed }
        return try read(json, as: mode)
    }

    /// Reads a value from JSON.
    ///
    /// - Throws: ``AdminInputProblem/invalid(_:)``.
    public static func read(_ json: JSON, as mode: AdminReader.Mode) throws(AdminInputProblem) -> Self {
        var reader = AdminReader(mode)
        let value = reader.object(Self.self, json)
        return try reader.finish(value)
    }

    /// The value as a JSON object.
    public var json: JSON {
        .object(Self.members.compactMap { member in member.write(self).map { JSON.Member(member.name, $0) } })
    }

    /// Reads a value from a query.
    ///
    /// - Parameter query: The query without its question mark, percent-encoded.
    /// - Throws: ``AdminInputProblem`` for an unreadable query, an unknown or repeated parameter, and for a value that its
    ///   parameter does not accept.
    public static func read(query: String) throws(AdminInputProblem) -> Self {
        var members: [JSON.Member] = []
        for parameter in ParameterReader(query) {
            guard case .named(let name, let text) = parameter else { throw .malformed }
            guard !members.contains(where: { $0.name == name }) else { throw .malformed }
            guard members.count < 32 else { throw .malformed }
            let known = Self.members.first { $0.name == name }
            members.append(JSON.Member(name, known?.form.value(ofParameter: text) ?? .string(text)))
        }
        return try read(.object(members), as: .request)
    }

    /// The value as a query, percent-encoded and without a question mark; parameters without a value are left out.
    public var query: String {
        let parameters = Self.members.compactMap { member -> (name: String, value: String)? in
            switch member.write(self) {
            case nil, .null: nil
            case .string(let text): (member.name, text)
            case let json?: (member.name, String(decoding: json.bytes, as: UTF8.self))
            }
        }
        return URLQuery.encode(parameters)
    }
}
