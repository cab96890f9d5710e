import OstiaryContracts
import OstiaryCore

/// Requests claims that a provider's ID token lacks. Source: OpenID Connect Core §5.3.
struct UserInfoEndpoint: Sendable {
    var url: UpstreamURL
    var client: UpstreamClient

    /// The time limit of a request for labels: a slow answer must not use up the time of the sign-in.
    static let patience: Duration = .seconds(1)

    /// Returns the claims of the userinfo endpoint.
    ///
    /// - Returns: Nil if the answer is not usable or has another subject: labels are not worth a failed sign-in.
    /// - Throws: `CancellationError`.
    func claims(_ accessToken: Secret<String>, subject: String) async throws -> PersonClaims? {
        guard let headers = bearer(accessToken) else { return nil }
        let request = UpstreamRequest(.get, url.text, headers: headers)
        guard let answer = try await client.label(request, from: url) else { return nil }
        // Without the check of `sub` a swapped access token would give one account the labels of another.
        guard answer.status == 200, let claims = try? JSON.read(answer.body), case .string(let named)? = claims["sub"],
            named.utf8.elementsEqual(subject.utf8)
        else { return nil }
        return PersonClaims(claims)
    }
}

extension UpstreamClient {
    /// Sends an optional request, whose failure is tolerated.
    ///
    /// - Returns: Nil if there is no answer within ``UserInfoEndpoint/patience``.
    /// - Throws: `CancellationError`.
    func label(_ request: UpstreamRequest, from url: UpstreamURL) async throws -> UpstreamResponse? {
        let late = UpstreamProblem.timedOut(origin: url.origin)
        let answer = try? await withDeadline(UserInfoEndpoint.patience, orThrow: late) { try await self.send(request) }
        try Task.checkCancellation()
        return answer
    }
}

/// Returns the header of a bearer token; nil for a text that cannot stand in a header.
func bearer(_ token: Secret<String>) -> [(name: String, value: String)]? {
    let text = token.reveal()
    guard (1...8192).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return [(name: "Authorization", value: "Bearer \(text)")]
}
