public import OstiaryContracts
public import OstiaryCore

/// A request to one of an app's own routes, by somebody who is signed in.
public struct TestVisit: Sendable {
    public let request: WireRequest
    public let user: User
    /// What stood in the path for each of the route's names.
    public let values: [String: String]
}

struct TestRoute: Sendable {
    let method: String
    let segments: [Substring]
    let role: String?
    let answer: @Sendable (TestVisit) async -> WireResponse

    /// What a request has in the path for each name; nil if it is for another route.
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
    /// Adds a route of the app's own, which takes an access token and refuses a request as the contract's operations do.
    ///
    /// - Parameters:
    ///   - path: Below the base URL, outside of the contract's paths. `{name}` stands for one segment.
    ///   - role: Whoever lacks it is refused with 403.
    public func route(
        _ method: String, _ path: String, role: String? = nil,
        _ answer: @escaping @Sendable (TestVisit) async -> WireResponse
    ) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        script.change {
            $0.routes.append(TestRoute(method: method, segments: segments, role: role, answer: answer))
        }
    }
}

extension WireResponse {
    /// An answer in JSON, as it is written.
    public static func json(_ text: String, status: Int = 200) -> WireResponse {
        WireResponse(status: status, headers: ["content-type": "application/json"], body: Array(text.utf8))
    }
}
