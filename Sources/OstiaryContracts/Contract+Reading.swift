import Foundation
import OstiaryCore

extension Contract {
    /// The maximum size of a contract's file, in bytes.
    public static let maximumFileBytes = 1 << 20

    /// Decodes and validates a contract from the bytes of a JSON file.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` with a reason for the author of the file: too large, not JSON, a duplicate
    ///   name, an unknown key or field, a value of another type, two operations on one path, a contradiction.
    public static func read(_ bytes: [UInt8]) throws(ContractProblem) -> Contract {
        let json = try readFile(bytes)
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

    private static func readFile(_ bytes: [UInt8]) throws(ContractProblem) -> JSON {
        guard bytes.count <= maximumFileBytes else { throw .invalid("larger than \(maximumFileBytes) bytes") }
        guard !bytes.isEmpty else { throw .invalid("not a JSON file: it is empty") }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw .invalid("not a JSON file: it begins with a byte order mark")
        }
        var end = 0
        do { return try JSON.read(bytes, endingAt: &end) } catch {
            throw .invalid("not a JSON file: \(error), in \(position(of: end, in: bytes))")
        }
    }

    /// Returns the position of a byte for the author of the file: `line 3, column 14`, in which a column is a Unicode scalar.
    private static func position(of index: Int, in bytes: [UInt8]) -> String {
        let lines = bytes[..<index].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
        return "line \(max(1, lines.count)), column \(column)"
    }

    /// Returns the contract as a JSON value that ``read(_:)`` accepts.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` if the contract cannot be encoded.
    public func json() throws(ContractProblem) -> JSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try JSON.read(Array(encoder.encode(self))) } catch { throw .invalid("cannot be written: \(error)") }
    }

    /// Returns the first key of the file that is absent from the encoded contract.
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
}

extension DecodingError {
    fileprivate var reason: String {
        let (context, what): (Context, String) =
            switch self {
            case .typeMismatch(_, let context): (context, "is of the wrong type")
            case .valueNotFound(_, let context): (context, "has no value")
            case .keyNotFound(let key, let context): (context, "lacks \(key.stringValue)")
            case .dataCorrupted(let context): (context, Self.unknownName(context) ?? Self.reason(context))
            @unknown default: (Context(codingPath: [], debugDescription: ""), "cannot be read")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }

    /// Returns the reason of this project's decoders, and none of Foundation's, which contain Swift's type names.
    private static func reason(_ context: Context) -> String {
        context.debugDescription.utf8.starts(with: "Cannot initialize ".utf8)
            ? "has a value that is not allowed" : context.debugDescription
    }

    /// Returns a reason for a name that is not known.
    private static func unknownName(_ context: Context) -> String? {
        switch context.codingPath.dropLast().last?.stringValue {
        case "names": "there is no such field"
        case "endpoints": "there is no such operation"
        default: nil
        }
    }
}
