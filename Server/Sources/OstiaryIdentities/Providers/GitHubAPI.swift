import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A person's identity according to GitHub's API.
struct GitHubAPI: Sendable {
    var user: UpstreamURL
    var emails: UpstreamURL
    var client: UpstreamClient

    /// Returns the identity of the access token's owner.
    ///
    /// - Throws: ``IdentityProviderRefusal``; ``UpstreamProblem``; `CancellationError`.
    func identity(_ authorization: [(name: String, value: String)]) async throws -> ProviderIdentity {
        let answer = try await client.send(
            UpstreamRequest(.get, user.text, headers: authorization + [(name: "Accept", value: Self.mediaType)]))
        guard answer.status == 200 else { throw answer.refusal(origin: user.origin) }
        guard let person = try? JSON.read(answer.body), case .object = person else {
            throw UpstreamProblem.unexpectedAnswer(origin: user.origin, reason: "the user is no JSON object")
        }
        // The login can be given up and taken by another person; the numeric id cannot.
        guard case .integer(let id)? = person["id"], id > 0 else { throw IdentityProviderRefusal.codeRefused }
        let email = try await primaryAddress(authorization)
        return ProviderIdentity(
            issuer: GitHubProvider.issuer, subject: String(id), email: email, isEmailVerified: email != nil,
            preferredUsername: PersonClaims.text(person["login"]), fullName: PersonClaims.name(person["name"]))
    }

    /// Returns the primary address if GitHub verified it. The public profile's address is not used: it may be
    /// unverified.
    private func primaryAddress(_ authorization: [(name: String, value: String)]) async throws -> EmailAddress? {
        let request = UpstreamRequest(
            .get, emails.text, headers: authorization + [(name: "Accept", value: Self.mediaType)])
        guard let answer = try await client.label(request, from: emails), answer.status == 200,
            case .array(let addresses)? = try? JSON.read(answer.body),
            let primary = addresses.first(where: {
                $0["primary"] == .boolean(true) && $0["verified"] == .boolean(true)
            })
        else { return nil }
        return PersonClaims.text(primary["email"]).flatMap { try? EmailAddress($0) }
    }

    private static let mediaType = "application/vnd.github+json"
}
