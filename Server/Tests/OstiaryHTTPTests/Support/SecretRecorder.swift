import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Synchronization

/// Records every secret that passes between a client and its server.
final class SecretRecorder: Transport {
    private let transport: any Transport
    private let names: Set<String>
    private let seen = Mutex<Set<String>>([])

    private static let secretFields: [Field] = [
        .password, .currentPassword, .newPassword, .code, .verificationToken, .resetToken, .registrationToken,
        .accessToken, .refreshToken, .alsoEnding, .state, .authorizationCode, .appVerifier, .challengeToken,
        .signingKey, .secret, .otpauthUri,
    ]

    init(_ transport: any Transport, speaking contract: Contract) {
        self.transport = transport
        let endpoints = contract.operations.map(\.endpoint)
        names = Set(
            Self.secretFields.flatMap { field in
                [contract.spelling(of: field)] + endpoints.map { contract.spelling(of: field, in: $0) }
            })
    }

    var secrets: Set<String> { seen.withLock { $0 } }

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        if let token = request.headers["authorization"].flatMap(BearerToken.read) { note(token) }
        note(request.body)
        let response = try await transport.send(request, to: baseURL, within: deadline)
        // A refusal's `code` is no secret.
        if response.status < 300 { note(response.body) }
        return response
    }

    private func note(_ secret: String) {
        seen.withLock { _ = $0.insert(secret) }
    }

    private func note(_ body: [UInt8]) {
        if let json = try? JSON.read(body) { note(json) }
    }

    private func note(_ json: JSON) {
        guard case .object(let members) = json else { return }
        for member in members {
            if names.contains(member.name), case .string(let secret) = member.value { note(secret) }
            note(member.value)
        }
    }
}
