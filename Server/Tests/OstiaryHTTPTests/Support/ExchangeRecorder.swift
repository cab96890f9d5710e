import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Synchronization

/// Records every exchange between a client and its server as text, with values that differ from run to run described by
/// their form.
final class ExchangeRecorder: Transport {
    private let transport: any Transport
    private let volatile: Set<String>
    /// A refusal's `code` is the same in every run.
    private var volatileInResponses: Set<String> { volatile.subtracting(["code"]) }
    /// The paths with a placeholder.
    private let patterns: [[Substring]]
    private let recorded = Mutex<[String]>([])

    private static let volatileFields: [Field] = [
        .id, .sessionId, .keyId, .code, .codeSession, .verificationToken, .resetToken, .registrationToken, .accessToken,
        .refreshToken, .alsoEnding, .signingKey, .factorId, .entryId, .secret, .otpauthUri, .recoveryCodes,
        .challengeToken, .passkeyToken, .publicKey, .credential, .recognizedDeviceId, .deviceLinkToken,
    ]
    /// Members that no contract renames: the token of a refusal, and the answers with codes.
    private static let volatileMembers: Set<String> = ["challenge_token", "totp", "sms_code"]
    /// The headers that depend on a token's length or on the time of day.
    private static let ignoredHeaders: Set<String> = ["authorization", "content-length", "date", "x-request-id"]

    init(_ transport: any Transport, speaking contract: Contract) {
        self.transport = transport
        let endpoints = contract.operations.map(\.endpoint)
        patterns = endpoints.map { contract.prefix + $0.path }.filter { $0.contains("{") }
            .map { $0.split(separator: "/") }
        volatile = Set(
            Self.volatileFields.flatMap { field in
                [contract.spelling(of: field)] + endpoints.map { contract.spelling(of: field, in: $0) }
            }
        ).union(Self.volatileMembers)
    }

    var exchanges: [String] { recorded.withLock { $0 } }

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        let response = try await transport.send(request, to: baseURL, within: deadline)
        var lines = ["\(request.method) \(path(request.path))\(request.query.isEmpty ? "" : "?\(request.query)")"]
        if let token = request.headers["authorization"].flatMap(BearerToken.read) {
            lines.append("authorization: \(form(of: token))")
        }
        lines += headers(request.headers) + [body(request.body, volatile), "\(response.status)"]
        lines += headers(response.headers) + [body(response.body, volatileInResponses)]
        recorded.withLock { $0.append(lines.joined(separator: "\n")) }
        return response
    }

    /// Returns the path with the id of a session or factor replaced by its name.
    private func path(_ path: String) -> String {
        let segments = path.split(separator: "/")
        let pattern = patterns.first { pattern in
            segments.count == pattern.count && zip(segments, pattern).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        }
        return pattern.map { "/\($0.joined(separator: "/"))" } ?? path
    }

    private func headers(_ headers: [String: String]) -> [String] {
        headers.filter { !Self.ignoredHeaders.contains($0.key) }
            .map { "\($0.key): \($0.key == DeviceTokenHeader.name ? form(of: $0.value) : $0.value)" }.sorted()
    }

    private func body(_ bytes: [UInt8], _ volatile: Set<String>) -> String {
        guard let json = try? JSON.read(bytes) else { return String(decoding: bytes, as: UTF8.self) }
        return text(of: json, isVolatile: false, volatile)
    }

    private func text(of json: JSON, isVolatile: Bool, _ volatile: Set<String>) -> String {
        switch json {
        case .object(let members):
            let texts = members.map { member in
                let isVolatile = isVolatile || volatile.contains(member.name)
                return "\(member.name): \(text(of: member.value, isVolatile: isVolatile, volatile))"
            }
            return "{\(texts.joined(separator: ", "))}"
        // Sessions that began in the same second are listed in any order.
        case .array(let elements):
            return "\(elements.map { text(of: $0, isVolatile: isVolatile, volatile) }.sorted())"
        case .string(let text) where isVolatile: return form(of: text)
        default: return JSON.array([json]).prettyText
        }
    }

    /// Returns the algorithm, the names of the claims and the lifetime of a JWT. Other texts have no form, not even a
    /// fixed length.
    private func form(of text: String) -> String {
        let parts = text.split(separator: ".").map { part in
            Base64URL.decode(part.utf8).flatMap { try? JSON.read($0) }
        }
        guard parts.count == 3, let header = parts[0], let claims = parts[1], case .object(let members) = claims else {
            return "<opaque>"
        }
        var lifetime = "no lifetime"
        if case .integer(let end)? = claims["exp"], case .integer(let start)? = claims["iat"] {
            lifetime = "\(end - start) s"
        }
        guard case .string(let algorithm)? = header["alg"] else { return "<no algorithm>" }
        return "<\(algorithm) \(members.map(\.name)) \(lifetime)>"
    }
}
