public import OstiaryContracts
public import OstiaryCore

/// A condition on requests, to which a rule applies.
public struct RequestMatcher: Sendable {
    /// Returns `true` if the rule applies to a request.
    public let matches: @Sendable (ScriptedTransport.Call) -> Bool

    /// Creates a matcher from a closure.
    public init(_ matches: @escaping @Sendable (ScriptedTransport.Call) -> Bool) { self.matches = matches }

    /// Every request.
    public static let any = RequestMatcher { _ in true }

    /// Matches requests by path and method.
    ///
    /// - Parameters:
    ///   - path: The exact path below the base URL, without the query.
    ///   - method: The method in upper case; `nil` for all methods.
    public static func path(_ path: String, method: String? = nil) -> RequestMatcher {
        RequestMatcher { call in
            call.request.path.utf8.elementsEqual(path.utf8) && (method.map { $0 == call.request.method } ?? true)
        }
    }

    /// Matches GET requests to a path below the base URL.
    public static func get(_ path: String) -> RequestMatcher { .path(path, method: "GET") }
    /// Matches POST requests to a path below the base URL.
    public static func post(_ path: String) -> RequestMatcher { .path(path, method: "POST") }

    /// Matches requests with that token in their Authorization header.
    public static func bearer(_ token: String) -> RequestMatcher {
        RequestMatcher { $0.bearer.map { $0.utf8.elementsEqual(token.utf8) } ?? false }
    }

    /// Matches requests for one of a contract's operations, well-formed or not. For an operation that the contract
    /// lacks it matches nothing.
    public static func operation(_ kind: OperationKind, of contract: Contract) -> RequestMatcher {
        guard let endpoint = contract.operations.first(where: { $0.kind == kind })?.endpoint else { return .none }
        let pattern = Self.segments(contract.prefix + endpoint.path)
        return RequestMatcher { call in
            let segments = Self.segments(call.request.path)
            return call.request.method == endpoint.method.rawValue && segments.count == pattern.count
                && zip(segments, pattern).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
        }
    }

    /// Matches requests to refresh a session.
    public static func refresh(of contract: Contract) -> RequestMatcher { .operation(.refresh, of: contract) }
    /// Matches sign-ins with a password.
    public static func signIn(of contract: Contract) -> RequestMatcher { .operation(.signIn, of: contract) }
    /// Matches sign-outs.
    public static func signOut(of contract: Contract) -> RequestMatcher { .operation(.signOut, of: contract) }

    /// Matches requests that are not one of a contract's operations: the app's own.
    public static func own(of contract: Contract) -> RequestMatcher {
        let operations = contract.operations.map { Self.operation($0.kind, of: contract) }
        return RequestMatcher { call in !operations.contains { $0.matches(call) } }
    }

    private static let none = RequestMatcher { _ in false }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
