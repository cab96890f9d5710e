import OstiaryContracts

/// The claims of a token whose signature was verified. A claim of another type is an error; `null` is absent.
struct ClaimSet {
    /// A required claim is absent, or a claim is of another type.
    enum Problem: Error {
        case absent
        case mistyped
    }

    private let members: [JSON.Member]

    /// Creates a set from a payload; nil if it is no object, or if a name occurs twice: two readers could each take a
    /// different value. Source: RFC 8725 §2.4, RFC 7519 §4.
    init?(_ payload: [UInt8]) {
        guard case .object(let members)? = try? JSON.read(payload) else { return nil }
        self.members = members
    }

    private init(_ members: [JSON.Member]) { self.members = members }

    func text(_ name: String) throws -> String { try required(optionalText(name)) }

    func optionalText(_ name: String) throws -> String? {
        switch self[name] {
        case nil: nil
        case .string(let text): text
        default: throw Problem.mistyped
        }
    }

    func integer(_ name: String) throws -> Int { try required(optionalInteger(name)) }

    func optionalInteger(_ name: String) throws -> Int? {
        switch self[name] {
        case nil: nil
        case .integer(let integer): integer
        default: throw Problem.mistyped
        }
    }

    /// Returns the claims of a claim that is an object.
    func optionalSet(_ name: String) throws -> ClaimSet? {
        switch self[name] {
        case nil: nil
        case .object(let members): ClaimSet(members)
        default: throw Problem.mistyped
        }
    }

    private subscript(name: String) -> JSON? {
        guard let value = members.first(where: { hasSameBytes($0.name, name) })?.value, value != .null else {
            return nil
        }
        return value
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Problem.absent }
        return value
    }
}
