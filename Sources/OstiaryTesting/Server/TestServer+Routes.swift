public import OstiaryContracts
public import OstiaryCore

/// An authenticated request to one of the app's own routes.
public struct TestVisit: Sendable {
    /// The request with its headers, query and body.
    public let request: WireRequest
    /// The user of the request's access token.
    public let user: User
    /// The path segments by the route's `{name}`, percent-decoded.
    public let values: [String: String]
}

struct TestRoute: Sendable {
    let method: String
    let segments: [Substring]
    let role: String?
    let permission: Permission?
    let requirement: StepUpRequirement
    let answer: @Sendable (TestVisit) async -> WireResponse

    /// Returns the path segments by the route's `{name}`; `nil` if the request does not match the route.
    func values(of request: WireRequest) -> [String: String]? {
        let asked = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard request.method == method, asked.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (text, expected) in zip(asked, segments) {
            if expected.hasPrefix("{") {
                guard let text = PercentEncoding.decode(text) else { return nil }
                values[String(expected.dropFirst().dropLast())] = text
            } else if !text.utf8.elementsEqual(expected.utf8) {
                return nil
            }
        }
        return values
    }
}

extension TestServer {
    /// Adds a route of the app's own, which requires an access token and refuses a request as the contract's operations
    /// do.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, outside of the contract's paths. `{name}` matches one segment.
    ///   - role: The role that is required; a user without it receives 403.
    ///   - permission: The permission that is required in every scope; a user without it receives 403.
    ///   - acr: The level of the authentication that is required; nil for any.
    ///   - maxAge: The maximum age of the authentication, rounded down to seconds; nil for any age.
    ///   - answer: Answers an authenticated request.
    public func route(
        _ method: String, _ path: String, role: String? = nil, permission: Permission? = nil,
        acr: AuthenticationLevel? = nil, maxAge: Duration? = nil,
        _ answer: @escaping @Sendable (TestVisit) async -> WireResponse
    ) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        let requirement = StepUpRequirement(
            level: acr, maximumAgeSeconds: maxAge.map { Int($0.components.seconds) })
        let route = TestRoute(
            method: method, segments: segments, role: role, permission: permission, requirement: requirement,
            answer: answer)
        script.change { $0.routes.append(route) }
    }
}

extension WireResponse {
    /// Returns an answer with a JSON text as its body; the text is not checked.
    public static func json(_ text: String, status: Int = 200) -> WireResponse {
        WireResponse(status: status, headers: ["content-type": "application/json"], body: Array(text.utf8))
    }
}
