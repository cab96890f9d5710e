import Foundation
import OstiaryCore

extension Contract {
    /// Reads a contract from a JSON file's bytes.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` with a reason fit for the person who wrote the file: not JSON, a name twice,
    ///   an unknown key or field, a value of another type, two operations on one path, a contradiction.
    public static func read(_ bytes: [UInt8]) throws(ContractProblem) -> Contract {
        let json: JSON
        do { json = try JSON.read(bytes) } catch { throw .invalid("not a JSON file: \(error)") }
        let contract: Contract
        do {
            contract = try JSONDecoder().decode(Contract.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw .invalid(error.reason)
        } catch {
            throw .invalid("not a contract: \(error)")
        }
        if let key = try unknownKey(in: json, comparedWith: contract.json(), at: "") {
            throw .invalid("unknown key \(key)")
        }
        try contract.check()
        return contract
    }

    /// The contract as a JSON value that ``read(_:)`` reads back.
    public func json() throws(ContractProblem) -> JSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try JSON.read(Array(encoder.encode(self))) } catch { throw .invalid("cannot be written: \(error)") }
    }

    /// The first key of the file that the contract read from it does not know.
    private static func unknownKey(in json: JSON, comparedWith known: JSON, at path: String) throws(ContractProblem)
        -> String?
    {
        guard case .object(let members) = json else { return nil }
        for member in members where member.value != .null {
            let path = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard let counterpart = known[member.name] else { return path }
            if let key = try unknownKey(in: member.value, comparedWith: counterpart, at: path) { return key }
        }
        return nil
    }

    /// - Throws: ``ContractProblem/invalid(_:)`` if the contract contradicts itself.
    func check() throws(ContractProblem) {
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_")
        guard !name.isEmpty, name.allSatisfy(letters.contains) else {
            throw .invalid("name: lower-case letters, digits, - and _ only")
        }
        guard prefix.isEmpty || prefix.hasPrefix("/"), !prefix.hasSuffix("/") else {
            throw .invalid("prefix: begins with / and does not end with one")
        }
        guard rules.accessTokenSeconds > 0, (rules.refresh?.seconds ?? 1) > 0, (rules.refresh?.shortSeconds ?? 1) > 0
        else { throw .invalid("rules: lifetimes are positive numbers of seconds") }
        guard !user.isEmpty, user.contains(.required(.id)) else { throw .invalid("user: id is required") }
        if rules.registersWithCode && rules.identifier != .phoneNumber {
            throw .invalid("rules.registersWithCode: codes go to phone numbers")
        }
        var seen: [String: OperationKind] = [:]
        for (kind, endpoint) in operations {
            try check(endpoint, of: kind)
            let route = "\(endpoint.method.rawValue) \(prefix)\(endpoint.path)"
            if let other = seen.updateValue(kind, forKey: route) {
                throw .invalid("endpoints: \(kind.rawValue) and \(other.rawValue) are both \(route)")
            }
        }
    }

    private func check(_ endpoint: Endpoint, of kind: OperationKind) throws(ContractProblem) {
        let place = "endpoints.\(kind.rawValue)"
        guard endpoint.path.hasPrefix("/") else { throw .invalid("\(place).path: begins with /") }
        guard (200..<400).contains(endpoint.status ?? 200) else { throw .invalid("\(place).status: 200 to 399") }
        for segment in Codec.segments(endpoint.path) where segment.contains("{") {
            guard segment.hasPrefix("{"), segment.hasSuffix("}"),
                Field(rawValue: String(segment.dropFirst().dropLast())) != nil
            else { throw .invalid("\(place).path: \(segment) is no field") }
        }
        var names: Set<String> = []
        for use in endpoint.takes ?? [] {
            guard names.insert(spelling(of: use.field, in: endpoint)).inserted else {
                throw .invalid("\(place).takes: two fields are called \(spelling(of: use.field, in: endpoint))")
            }
        }
    }
}

extension DecodingError {
    fileprivate var reason: String {
        let (context, what): (Context, String) =
            switch self {
            case .typeMismatch(_, let context): (context, "is of the wrong type")
            case .valueNotFound(_, let context): (context, "has no value")
            case .keyNotFound(let key, let context): (context, "lacks \(key.stringValue)")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (Context(codingPath: [], debugDescription: ""), "cannot be read")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }
}
