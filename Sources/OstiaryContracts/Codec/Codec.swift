public import OstiaryCore

/// Translates between typed operations and one contract's wire messages, in both directions.
///
/// The server reads requests and writes answers, the client writes requests and reads answers; every `read` is the
/// inverse of its `write`. Create it once for each app: afterwards, the lookup of a path without placeholders is one
/// dictionary access.
public struct Codec: Sendable {
    /// The contract whose messages this codec translates.
    public let contract: Contract
    /// The account attributes that the app declares, which the server reads and writes. A client needs none.
    public let attributes: AttributeDefinitions
    let spelledAttributes: [SpelledAttribute]
    /// The names that no account attribute has.
    let reservedNames: Set<String>
    private let endpoints: [OperationKind: Endpoint]
    private let routes: [String: [String: OperationKind]]
    private let patterns: [PathPattern]

    private struct PathPattern: Sendable {
        var segments: [Substring]
        var method: String
        var kind: OperationKind
    }

    /// Creates a codec and validates the contract.
    ///
    /// - Parameter attributes: The account attributes that the app declares.
    /// - Throws: ``ContractProblem`` if the contract contradicts itself, or an attribute has a name of the contract.
    public init(_ contract: Contract, attributes: AttributeDefinitions = .none) throws(ContractProblem) {
        try contract.check()
        self.contract = contract
        self.attributes = attributes
        reservedNames = contract.reservedNames
        spelledAttributes = attributes.all.map {
            SpelledAttribute(definition: $0, spelling: contract.naming.spelling(ofAttribute: $0.name))
        }
        for attribute in spelledAttributes {
            let names = [attribute.definition.name, attribute.spelling]
            if let name = names.first(where: reservedNames.contains) {
                throw .invalid("attributes: \(name) is a name of the contract")
            }
        }
        var endpoints: [OperationKind: Endpoint] = [:]
        var routes: [String: [String: OperationKind]] = [:]
        var patterns: [PathPattern] = []
        for (kind, endpoint) in contract.operations {
            endpoints[kind] = endpoint
            let path = contract.prefix + endpoint.path
            let method = endpoint.method.rawValue
            if path.contains("{") {
                patterns.append(PathPattern(segments: Self.segments(path), method: method, kind: kind))
            } else {
                routes[path, default: [:]][method] = kind
            }
        }
        self.endpoints = endpoints
        self.routes = routes
        self.patterns = patterns
    }

    /// Returns the endpoint of an operation, with everything that the contract leaves to its rules filled in; nil for
    /// an operation that the app does not have.
    public func endpoint(for kind: OperationKind) -> Endpoint? { endpoints[kind] }

    static func segments(_ path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    // MARK: Routes

    /// The maximum length of a request's path, in bytes: longer than any path of a contract with valid fields.
    private static let maximumPathBytes = 8192

    /// Returns the operation that a request asks for, and the fields of its path.
    func route(_ request: WireRequest) throws(WireRefusal) -> (kind: OperationKind, path: [Field: String]) {
        // Paths are percent-encoded. Source: RFC 3986 §3.3.
        guard request.path.isShortASCII(atMost: Self.maximumPathBytes) else { throw .unknownPath }
        var allowed: [String] = []
        if let methods = routes[request.path] {
            if let kind = methods[request.method] { return (kind, [:]) }
            allowed.append(contentsOf: methods.keys)
        }
        let segments = Self.segments(request.path)
        for pattern in patterns {
            guard let path = Self.match(segments, pattern.segments) else { continue }
            if pattern.method == request.method { return (pattern.kind, path) }
            allowed.append(pattern.method)
        }
        if allowed.isEmpty { throw .unknownPath }
        throw .wrongMethod(allowed: allowed.sorted())
    }

    private static func match(_ segments: [Substring], _ pattern: [Substring]) -> [Field: String]? {
        guard segments.count == pattern.count else { return nil }
        var path: [Field: String] = [:]
        for (segment, expected) in zip(segments, pattern) {
            if expected.hasPrefix("{"), let field = Field(rawValue: String(expected.dropFirst().dropLast())) {
                guard !segment.isEmpty, let text = PercentEncoding.decode(segment) else { return nil }
                path[field] = text
            } else if segment != expected {
                return nil
            }
        }
        return path
    }
}

/// The reason for which a contract cannot be used.
public enum ContractProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The contract contradicts itself or cannot be parsed; the text is the place and the reason.
    case invalid(String)
    /// The app does not have the operation.
    case lacks(OperationKind)

    /// The reason, in English, for the author of the contract.
    public var description: String {
        switch self {
        case .invalid(let reason): reason
        case .lacks(let kind): "the contract has no endpoint for \(kind.rawValue)"
        }
    }
}
