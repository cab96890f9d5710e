import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The proofs of a client's requests: its keys for sign-ins, the server's nonce, and the offset of its clock. Source:
/// RFC 9449.
final class ProofOfPossession: Sendable {
    private struct State {
        /// The key of the next sign-in, and those of the last ones: sign-ins may overlap.
        var keys: [SessionKey] = []
        var isLastKeyUsed = false
        var nonce: String?
        var skew = ClockSkew()
    }

    private let baseURL: BaseURL
    private let provider: any SessionKeyProvider
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(baseURL: BaseURL, provider: any SessionKeyProvider, now: @escaping @Sendable () -> Date) {
        self.baseURL = baseURL
        self.provider = provider
        self.now = now
    }

    /// The number of keys of sign-ins that are kept in memory.
    private static let keptKeys = 8
    /// The maximum number of transmissions of one request: the first, one with another nonce, one with another time.
    private static let transmissions = 3

    // MARK: Keys

    /// Returns the key for a request that may open a session. Steps of one sign-in have the same key.
    func keyForSignIn() throws(SessionKeyProblem) -> SessionKey {
        if let key = state.withLock({ $0.isLastKeyUsed ? nil : $0.keys.last }) { return key }
        // Outside the lock: a key of the Secure Enclave takes a moment. Of two that are created at once both are kept.
        let key = try provider.makeKey()
        state.withLock { state in
            state.keys = state.keys.suffix(Self.keptKeys - 1) + [key]
            state.isLastKeyUsed = false
        }
        return key
    }

    /// Returns the key that tokens are bound to, of those of the last sign-ins; `nil` for tokens that are not bound.
    func takeKey(of tokens: Tokens) -> SessionKey? {
        let thumbprint = BoundKey.thumbprint(in: tokens.accessToken)
        return state.withLock { state in
            let key =
                thumbprint.map { thumbprint in
                    state.keys.first { BoundKey.thumbprint(of: $0).utf8.elementsEqual(thumbprint.utf8) }
                } ?? (tokens.isBound ? state.keys.last : nil)
            if key != nil, key == state.keys.last { state.isLastKeyUsed = true }
            return key
        }
    }

    // MARK: Requests

    /// Sends a request with a proof, and once more with the nonce that the server asks for, or with the server's time if
    /// this device's clock is wrong. The server has not executed the request in these cases.
    ///
    /// - Parameter send: Sends a request once. It is called for each transmission.
    /// - Throws: The errors of `send`, and those of `failure` for a key that cannot be used.
    func send<Failure: Error>(
        _ request: WireRequest, with key: SessionKey, failure: (SessionKeyProblem) -> Failure,
        by send: (WireRequest) async throws(Failure) -> WireResponse
    ) async throws(Failure) -> WireResponse {
        var hasRepeatedForNonce = false
        var hasRepeatedForTime = false
        for _ in 1..<Self.transmissions {
            let (response, nonce, skew) = try await transmit(request, with: key, failure: failure, by: send)
            if DPoPHeader.asksForNonce(response), !hasRepeatedForNonce, self.nonce != nonce {
                hasRepeatedForNonce = true
            } else if response.isProofRefused, !hasRepeatedForTime, self.skew.differsNotably(than: skew) {
                hasRepeatedForTime = true
            } else {
                return response
            }
        }
        return try await transmit(request, with: key, failure: failure, by: send).response
    }

    private func transmit<Failure: Error>(
        _ request: WireRequest, with key: SessionKey, failure: (SessionKeyProblem) -> Failure,
        by send: (WireRequest) async throws(Failure) -> WireResponse
    ) async throws(Failure) -> (response: WireResponse, nonce: String?, skew: ClockSkew) {
        let (nonce, skew) = state.withLock { ($0.nonce, $0.skew) }
        let sentAt = now()
        var request = request
        do throws(SessionKeyProblem) {
            request.headers[DPoPHeader.proof] = try proof(
                of: request, by: key, nonce: nonce, at: skew.serverTime(at: sentAt))
        } catch {
            throw failure(error)
        }
        let response = try await send(request)
        let receivedAt = now()
        state.withLock { state in
            if let nonce = DPoPHeader.nonce(in: response) { state.nonce = nonce }
            state.skew.update(from: response, sentAt: sentAt, receivedAt: receivedAt)
        }
        return (response, nonce, skew)
    }

    private var nonce: String? { state.withLock { $0.nonce } }
    private var skew: ClockSkew { state.withLock { $0.skew } }

    private func proof(
        of request: WireRequest, by key: SessionKey, nonce: String?, at time: Date
    ) throws(SessionKeyProblem) -> String {
        let token = request.headers["authorization"].flatMap(DPoPHeader.token)
        let proof = DPoPProof(
            key: key.publicKey, id: RequestSigner.randomNonce(), method: request.method,
            url: baseURL.text + request.path, issuedAt: Int(exactly: time.timeIntervalSince1970.rounded(.down)) ?? 0,
            accessTokenHash: token.map { Base64URL.encode(Array(SHA256.hash(data: Data($0.utf8)))) }, nonce: nonce)
        let input = proof.unsigned()
        return DPoPProof.header(input, signature: try provider.signature(of: input, by: key))
    }
}

extension WireResponse {
    /// `true` if the server rejected the proof of a request, and not its access token.
    var isProofRefused: Bool {
        guard status == 401 else { return false }
        if let challenge = headers["www-authenticate"], challenge.isShortASCII(atMost: 1024) {
            return challenge.contains("error=\"\(AuthError.invalidDPoPProof.code)\"")
        }
        return (try? JSON.read(body))?["code"] == .string(AuthError.invalidDPoPProof.code)
    }
}

extension WireRequest {
    /// Returns the request with its access token as a bound one, so that a server refuses it without a proof.
    func withBoundToken() -> WireRequest {
        guard let token = headers["authorization"].flatMap(BearerToken.read) else { return self }
        var request = self
        request.headers["authorization"] = DPoPHeader.authorization(token)
        return request
    }
}
