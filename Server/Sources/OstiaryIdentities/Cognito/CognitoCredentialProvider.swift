import Foundation
import OstiaryContracts
package import OstiaryCore
package import OstiaryEngine

/// The external credential provider that checks passwords at a user pool of AWS Cognito. Its tokens stay on the server.
///
/// The pool is fixed by the configuration: while Cognito is unavailable, sign-in fails, and no other credential
/// provider checks passwords in its place.
package struct CognitoCredentialProvider: ExternalCredentialProvider {
    /// The lifetime of a challenge, in seconds, unless the app client is configured otherwise.
    static let challengeSeconds = 180

    let api: CognitoAPI

    /// - Parameter client: The client that sends the requests. If ``CognitoSettings/endpoint`` is a plain http URL, its
    ///   transport has to allow that.
    package init(_ settings: CognitoSettings, client: UpstreamClient, system: SystemDependencies) {
        self.init(api: CognitoAPI(settings: settings, client: client, system: system))
    }

    init(api: CognitoAPI) { self.api = api }

    package var kind: String { "cognito" }
    package var migratesPasswords: Bool { api.settings.migratesPasswords }

    /// Signs a user in. Source: AWS, API Reference, InitiateAuth, `USER_PASSWORD_AUTH`.
    ///
    /// - Throws: ``CredentialProviderRefusal``; ``UpstreamProblem``; `CancellationError`.
    package func signIn(_ identifier: String, password: Secret<String>) async throws -> CredentialProviderAnswer {
        // Cognito answers impossible input with a parameter error, which would look like a broken configuration.
        guard Self.canBeUsername(identifier), (1...256).contains(password.reveal().unicodeScalars.count) else {
            throw CredentialProviderRefusal.refused
        }
        let parameters =
            [JSON.Member("USERNAME", .string(identifier)), JSON.Member("PASSWORD", .string(password.reveal()))]
            + api.secretHash(of: identifier)
        return try await exchange(
            .initiateAuth,
            [
                JSON.Member("AuthFlow", "USER_PASSWORD_AUTH"),
                JSON.Member("ClientId", .string(api.settings.clientID)),
                JSON.Member("AuthParameters", .object(parameters)),
            ], for: .signIn, by: identifier)
    }

    /// Answers a challenge. Source: AWS, API Reference, RespondToAuthChallenge.
    ///
    /// - Throws: ``CredentialProviderRefusal``; ``UpstreamProblem``; `CancellationError`.
    package func answer(_ step: CredentialProviderStep, _ answers: [String: Secret<String>]) async throws
        -> CredentialProviderAnswer
    {
        guard let answers = ChallengeAnswers(answers) else { throw CredentialProviderRefusal.refused }
        let responses =
            [JSON.Member("USERNAME", .string(step.username))] + api.secretHash(of: step.username) + answers.members
        return try await exchange(
            .respondToAuthChallenge,
            [
                JSON.Member("ChallengeName", .string(step.name)),
                JSON.Member("ClientId", .string(api.settings.clientID)),
                JSON.Member("Session", .string(step.session)),
                JSON.Member("ChallengeResponses", .object(responses)),
            ], for: .answer(to: step.name), by: step.username)
    }

    private func exchange(
        _ operation: CognitoAPI.Operation, _ members: [JSON.Member], for purpose: CognitoFault.Purpose,
        by username: String
    ) async throws -> CredentialProviderAnswer {
        let api = api
        do {
            let json = try await api.client.withOperationDeadline(api.settings.url) {
                try await api.call(operation, members)
            }
            // As long as there is a challenge, the user is not signed in, regardless of the rest of the answer.
            return try json["ChallengeName"].map { try step($0, json, by: username) } ?? accepted(json)
        } catch let fault as CognitoFault {
            throw fault.meaning(for: purpose, origin: api.origin)
        }
    }

    /// Returns a step for any challenge, also of an unknown name: the app may support it.
    private func step(_ name: JSON, _ json: JSON, by username: String) throws -> CredentialProviderAnswer {
        guard case .string(let name) = name, (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "_") }),
            case .string(let session)? = json["Session"], !session.isEmpty
        else { throw api.unexpectedAnswer("a challenge without name or session") }
        let parameters = json["ChallengeParameters"]
        // Later calls use the pool's own username; the identifier that the user entered may be an alias.
        let own = ["USER_ID_FOR_SRP", "USERNAME"].lazy.compactMap { member -> String? in
            guard case .string(let text)? = parameters?[member], !text.isEmpty else { return nil }
            return text
        }.first
        return .step(
            CredentialProviderStep(
                name: name, session: session, username: own ?? username, lifetimeSeconds: Self.challengeSeconds))
    }

    private func accepted(_ json: JSON) throws -> CredentialProviderAnswer {
        let result = json["AuthenticationResult"]
        guard case .string(let token)? = result?["IdToken"],
            let idToken = CognitoIDToken(token, of: api.settings, at: api.system.now())
        else { throw api.unexpectedAnswer("no ID token of this pool for this client") }
        guard case .string(let refreshToken)? = result?["RefreshToken"], !refreshToken.isEmpty else {
            throw api.unexpectedAnswer("no refresh token")
        }
        let session = CognitoSession(username: idToken.username, refreshToken: Secret(refreshToken))
        return .accepted(idToken.identity(from: api.settings.issuer), session: session.bytes)
    }

    /// Returns `true` for letters, marks, symbols, digits and punctuation, 1 to 128 scalars. Source: AWS, API
    /// Reference, `UsernameType`.
    private static func canBeUsername(_ text: String) -> Bool {
        (1...128).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
                    .paragraphSeparator:
                    false
                default: true
                }
            }
    }
}
