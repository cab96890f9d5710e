import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

@testable import OstiaryIdentities

/// A separate user pool on a moto server that all tests share, with an app client.
struct MotoPool {
    private static let moto = Task { try await CognitoPeer("cognito_peer.py") }

    let name: String
    let settings: CognitoSettings
    private let peer: CognitoPeer

    /// - Parameter email: `true` if users sign in with an email address, so that the pool generates usernames.
    init(email: Bool = true, secret: Bool = true) async throws {
        peer = try await Self.moto.value
        let made = try await peer.control([
            "do": "make_pool", "email": .boolean(email), "secret": .boolean(secret),
        ])
        name = made["pool"]?.text ?? ""
        settings = CognitoSettings(
            region: "us-east-1", userPoolID: name, clientID: made["client"]?.text ?? "",
            clientSecret: made["secret"]?.text.map { Secret($0) }, endpoint: peer.url)
    }

    func credentialProvider(_ change: (inout CognitoSettings) -> Void = { _ in }) -> CognitoCredentialProvider {
        var settings = settings
        change(&settings)
        let client = UpstreamClient(
            transport: Wires.patient, system: .system, operationDeadline: .seconds(60))
        return CognitoCredentialProvider(settings, client: client, system: .system)
    }

    @discardableResult func makeUser(
        _ user: String = "ada@example.org", password: String, temporary: Bool = false
    ) async throws -> JSON {
        try await peer.control([
            "do": "make_user", "pool": .string(name), "name": .string(user), "password": .string(password),
            "temporary": .boolean(temporary),
        ])
    }

    /// Sends one of the peer's control requests: `disable`, `unconfirm`, `require_code`.
    func change(_ user: String = "ada@example.org", by control: String) async throws {
        _ = try await peer.control(["do": .string(control), "pool": .string(name), "name": .string(user)])
    }

    /// Returns the code that an authenticator app shows.
    func code() async throws -> String { try await peer.control(["do": "code"])["code"]?.text ?? "" }
}

extension CredentialProviderAnswer {
    var identity: ProviderIdentity? {
        guard case .accepted(let identity, _) = self else { return nil }
        return identity
    }

    var session: [UInt8]? {
        guard case .accepted(_, let session) = self else { return nil }
        return session
    }

    var step: CredentialProviderStep? {
        guard case .step(let step) = self else { return nil }
        return step
    }
}
