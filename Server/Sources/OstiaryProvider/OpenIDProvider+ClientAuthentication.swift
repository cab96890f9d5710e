import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension OpenIDProvider {
    /// Returns the client with that id, compared byte for byte.
    func client(_ id: String) -> ProviderClient? {
        settings.clients.first { $0.id.utf8.elementsEqual(id.utf8) }
    }

    /// Authenticates the client of a request by `client_secret_basic`, `client_secret_post`, or `none` for public
    /// clients, which cannot keep a secret.
    ///
    /// - Throws: ``OAuthError/invalidClient``; `invalid_request` for two methods at once. Source: RFC 6749 §2.3.
    func authenticatedClient(
        _ parameters: [String: String], authorization: String?
    ) throws(OAuthError) -> ProviderClient {
        let (id, secret) = try Self.credentials(parameters, authorization: authorization)
        let client = client(id)
        guard let expected = client?.secret else {
            // A public client has no secret: a request that presents one does not come from it.
            guard let client, secret == nil else { throw .invalidClient }
            return client
        }
        guard let client, let secret, hasSameBytes(secret, expected) else { throw .invalidClient }
        return client
    }

    /// Compares keyed hashes, so that not even the length of the secret can be measured.
    private func hasSameBytes(_ one: Secret<String>, _ other: Secret<String>) -> Bool {
        let hashes = [one, other].map {
            ports.keys.digest(["client-secret", $0.reveal()], for: .provider, app: app)
        }
        return constantTimeEqual(hashes[0], hashes[1])
    }

    private static func credentials(
        _ parameters: [String: String], authorization: String?
    ) throws(OAuthError) -> (id: String, secret: Secret<String>?) {
        let (id, secret) = (parameters["client_id"], parameters["client_secret"])
        guard let authorization else {
            guard let id else { throw .invalidClient }
            return (id, secret.map { Secret($0) })
        }
        guard secret == nil else { throw .invalidRequest("The client authenticates in two ways.") }
        guard let basic = basicCredentials(authorization) else { throw .invalidClient }
        if let id, !id.utf8.elementsEqual(basic.id.utf8) {
            throw .invalidRequest("The client_id is not the one that authenticates.")
        }
        return (basic.id, basic.secret)
    }

    /// Parses the header. Source: RFC 7617 §2; RFC 6749 §2.3.1 (id and secret are form-encoded each).
    private static func basicCredentials(_ header: String) -> (id: String, secret: Secret<String>)? {
        let parts = header.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].map({ $0 | 0x20 }).elementsEqual("basic".utf8), let text = String(parts[1]),
            let bytes = Data(base64Encoded: text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let id = formDecoded(bytes[..<colon]), let secret = formDecoded(bytes[(colon + 1)...])
        else { return nil }
        return (id, Secret(secret))
    }

    private static func formDecoded(_ bytes: Data) -> String? {
        String(validating: bytes, as: UTF8.self).flatMap { PercentEncoding.decode(Substring($0), plusIsSpace: true) }
    }
}
