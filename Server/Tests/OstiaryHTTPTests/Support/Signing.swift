import Crypto
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// Jo's requests as a signing client writes them, and with any part changed afterwards.
struct Signing {
    let key: RequestSigningKey
    let token: String
    let clock: TestClock

    init(_ client: AppClient, _ jo: SignedIn) async throws {
        key = try await client.auth.perform(IssueSigningKey(accessToken: jo.tokens.accessToken))
        token = jo.tokens.accessToken.reveal()
        clock = client.world.clock
    }

    init(key: RequestSigningKey, token: String, clock: TestClock) {
        self.key = key
        self.token = token
        self.clock = clock
    }

    /// Returns the headers of a signed request, by lower-case name.
    ///
    /// - Parameter target: Path and query, as in the request line.
    func headers(
        _ method: String, _ target: String, body: String = "", secondsLater: Int = 0, nonce: String? = nil
    ) -> [String: String] {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let request = WireRequest(
            method: method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
            headers: ["authorization": "Bearer \(token)"], body: Array(body.utf8))
        let created = Int(clock.now.timeIntervalSince1970) + secondsLater
        let random = nonce ?? "nonce-\(UUID().uuidString)"
        let input = SignatureInput(created: created, keyID: key.id, nonce: random)
        let digest = Array(SHA256.hash(data: request.body))
        let secret = SymmetricKey(data: key.secret.reveal())
        let signed = input.flatMap {
            request.signed($0, path: request.path, contentSHA256: digest) {
                Array(HMAC<SHA256>.authenticationCode(for: $0, using: secret))
            }
        }
        return signed?.headers ?? [:]
    }
}

extension LiveServer {
    /// Sends a request that was signed as it is sent.
    func ask(_ signing: Signing, _ method: String, _ target: String, body: String = "") async throws -> HTTPAnswer {
        var headers = signing.headers(method, target, body: body)
        if !body.isEmpty { headers["content-type"] = "application/json" }
        return try await ask(method, target, headers, body: body)
    }
}

func expectStatus(_ status: Int, _ answer: HTTPAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(answer.status == status, sourceLocation: sourceLocation)
}

/// Expects the refusal of a signature in the app's own format, with the time to set a clock by.
func expectSignatureRefused(_ answer: HTTPAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(answer.status == 401, sourceLocation: sourceLocation)
    #expect(try answer.json["code"] == "signature_refused", sourceLocation: sourceLocation)
    #expect(answer["www-authenticate"] == "Bearer error=\"signature_refused\"", sourceLocation: sourceLocation)
    #expect(answer["date"] != nil, sourceLocation: sourceLocation)
}
