import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Synchronization

@testable import OstiaryIdentities

/// A credential provider whose Cognito gives the answers that the test sets.
struct ScriptedCognito {
    /// One process for all tests; each test uses a path of its own.
    private static let shared = Task { try await CognitoPeer("cognito_script_peer.py") }

    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let clientSecret = "not-a-real-client-secret"

    let credentialProvider: CognitoCredentialProvider
    let pauses = Pauses()
    private let peer: CognitoPeer
    private let path = "/\(UUID().uuidString)"

    /// - Parameter answers: See ``answer(_:status:headers:)``.
    init(
        _ answers: JSON..., transport: any UpstreamTransport = Wires.patient, secret: Bool = true
    ) async throws {
        peer = try await Self.shared.value
        let system = SystemDependencies(now: { Self.now }, randomBytes: { [UInt8](repeating: 7, count: $0) })
        let settings = CognitoSettings(
            region: "eu-west-1", userPoolID: "eu-west-1_AbCdEfGhI", clientID: "client7",
            clientSecret: secret ? Secret(Self.clientSecret) : nil, endpoint: peer.url + path)
        let client = UpstreamClient(
            transport: transport, system: system, operationDeadline: .seconds(60))
        let pauses = pauses
        credentialProvider = CognitoCredentialProvider(
            api: CognitoAPI(
                settings: settings, client: client, system: system, pause: { pauses.append($0) }))
        try await add(answers)
    }

    func add(_ answers: [JSON]) async throws {
        _ = try await peer.control(["path": .string(path), "answers": .array(answers)])
    }

    /// Returns the requests so far: `target`, `type` and `body` of each.
    func requests() async throws -> [JSON] { try await peer.control(["path": .string(path), "answers": []]).elements }

    /// Signs a user in with any password.
    func signIn(_ identifier: String = "ada@example.org", password: String = "Right-1-word") async throws
        -> CredentialProviderAnswer
    {
        try await credentialProvider.signIn(identifier, password: Secret(password))
    }

    static func answer(_ body: JSON, status: Int = 200, headers: JSON = [:]) -> JSON {
        ["status": .integer(status), "headers": headers, "body": .string(String(decoding: body.bytes, as: UTF8.self))]
    }

    static func text(_ body: String, status: Int = 200) -> JSON {
        ["status": .integer(status), "body": .string(body)]
    }

    static func fault(_ type: String, _ message: String = "", status: Int = 400, headers: JSON = [:]) -> JSON {
        answer(["__type": .string(type), "message": .string(message)], status: status, headers: headers)
    }

    static func challenge(_ name: String, parameters: JSON = [:]) -> JSON {
        answer(["ChallengeName": .string(name), "Session": "session-of-challenge", "ChallengeParameters": parameters])
    }

    /// - Parameter token: The ID token.
    static func accepted(_ token: String = idToken(), refreshToken: JSON = "refresh-1") -> JSON {
        answer([
            "ChallengeParameters": [:],
            "AuthenticationResult": [
                "AccessToken": "access-1", "IdToken": .string(token), "RefreshToken": refreshToken, "ExpiresIn": 3600,
                "TokenType": "Bearer",
            ],
        ])
    }

    /// Returns the answer that renews a session.
    static func renewed(_ refreshToken: JSON = .null) -> JSON {
        answer(["AuthenticationResult": ["AccessToken": "access-2", "RefreshToken": refreshToken]])
    }

    static func idToken(_ changes: [String: JSON] = [:]) -> String {
        var claims: [String: JSON] = [
            "iss": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI", "aud": "client7",
            "token_use": "id", "sub": "0b1c2d3e", "cognito:username": "ada", "email": "ada@example.org",
            "email_verified": true, "name": "Ada Lovelace", "exp": .integer(Int(now.timeIntervalSince1970) + 3600),
        ]
        claims.merge(changes) { $1 }
        let payload = JSON.object(claims.filter { $0.value != .null }.map { JSON.Member($0.key, $0.value) })
        return [#"{"kid":"k","alg":"RS256"}"#.utf8.map(\.self), payload.bytes, [1, 2, 3]]
            .map { Base64URL.encode($0) }.joined(separator: ".")
    }
}

/// Records the requested pauses, which end immediately.
final class Pauses: Sendable {
    private let taken = Mutex<[Duration]>([])
    var all: [Duration] { taken.withLock { $0 } }
    func append(_ pause: Duration) { taken.withLock { $0.append(pause) } }
}
