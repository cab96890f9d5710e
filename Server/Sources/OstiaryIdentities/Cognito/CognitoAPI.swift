import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The JSON protocol of Cognito's user pools, limited to the operations that need no signed requests.
///
/// Source: AWS, Amazon Cognito user pools API Reference; Smithy, "AWS JSON 1.1 protocol".
struct CognitoAPI: Sendable {
    var settings: CognitoSettings
    var client: UpstreamClient
    var system: SystemDependencies
    /// Suspends before a retry; replaced in tests.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    enum Operation: String {
        case initiateAuth = "InitiateAuth"
        case respondToAuthChallenge = "RespondToAuthChallenge"
        case getTokensFromRefreshToken = "GetTokensFromRefreshToken"
        case revokeToken = "RevokeToken"
    }

    /// The origin of the endpoint, for problem descriptions.
    var origin: String { UpstreamURL(settings.url)?.origin ?? "?" }

    /// Calls one operation; retries once after a short pause if Cognito throttles it.
    ///
    /// - Throws: ``CognitoFault``; ``CredentialProviderRefusal/throttled(retryAfterSeconds:)`` for a 429 that is not in
    ///   the form of an error; ``UpstreamProblem``; `CancellationError`.
    func call(_ operation: Operation, _ members: [JSON.Member]) async throws -> JSON {
        do { return try await callOnce(operation, members) } catch let fault as CognitoFault where fault.isMomentary {
            // Jitter, so that throttled requests are not all retried at the same moment.
            let jitter = Int(system.randomBytes(1).first ?? 0)
            try await pause(.milliseconds(100 + jitter))
            return try await callOnce(operation, members)
        }
    }

    private func callOnce(_ operation: Operation, _ members: [JSON.Member]) async throws -> JSON {
        let response = try await client.send(
            UpstreamRequest(
                .post, settings.url,
                headers: [
                    ("X-Amz-Target", "AWSCognitoIdentityProviderService.\(operation.rawValue)"),
                    ("Content-Type", "application/x-amz-json-1.1"),
                ], body: JSON.object(members).bytes))
        if let fault = CognitoFault(response), fault.status < 500 || fault.isThrottling { throw fault }
        guard response.status != 429 else {
            throw CredentialProviderRefusal.throttled(retryAfterSeconds: CognitoFault.retryAfterSeconds(response))
        }
        guard response.status == 200 else { throw UpstreamProblem.status(response.status, origin: origin) }
        guard let json = try? JSON.read(response.body), case .object = json else {
            throw unexpectedAnswer("it is not a JSON object")
        }
        return json
    }

    /// - Parameter reason: A fixed text, without content of the answer.
    func unexpectedAnswer(_ reason: String) -> UpstreamProblem { .unexpectedAnswer(origin: origin, reason: reason) }

    /// Returns the member `SECRET_HASH`, for app clients with a secret.
    func secretHash(of username: String) -> [JSON.Member] {
        guard let secret = settings.clientSecret else { return [] }
        let hash = SecretHash.make(username: username, clientID: settings.clientID, clientSecret: secret)
        return [JSON.Member("SECRET_HASH", .string(hash.reveal()))]
    }

    /// `ClientId`, and the secret itself for the operations that take no hash.
    var clientCredentials: [JSON.Member] {
        let secret = settings.clientSecret.map { [JSON.Member("ClientSecret", .string($0.reveal()))] } ?? []
        return [JSON.Member("ClientId", .string(settings.clientID))] + secret
    }
}
