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
        /// The key of the next sign-in; `nil` once the server has bound something to it.
        var next: SessionKey?
        /// The tokens that the server has bound to a key, each with its key: the challenges of sign-ins, which may overlap, and
        /// the access tokens of sessions that are about to begin.
        var bound: [(token: Secret<String>, key: SessionKey)] = []
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

    /// The number of tokens whose keys are kept in memory.
    private static let keptTokens = 8
    /// The maximum number of transmissions of one request: the first, one with another nonce, one with another time.
    private static let transmissions = 3

    // MARK: Keys

    /// Returns the key for a request that may open a session.
    ///
    /// - Parameter presented: The tokens in the request. The answer to a challenge has the key with which the challenge was
    ///   received, which the server requires.
    func keyForSignIn(presenting presented: [Secret<String>]) throws(SessionKeyProblem) -> SessionKey {
        let known = state.withLock { state in
            state.bound.last { presented.contains($0.token) }?.key ?? state.next
        }
        if let known { return known }
        // Outside the lock: a key of the Secure Enclave takes a moment. Each of two requests that create one has its own.
        let key = try provider.makeKey()
        state.withLock { $0.next = key }
        return key
    }

    /// Keeps the key of a request with the token in its answer, and leaves it to no other sign-in.
    ///
    /// - Parameter token: The token of a challenge, or an access token.
    func keep(_ key: SessionKey, of token: Secret<String>) {
        state.withLock { state in
            state.bound.removeAll { $0.token == token }
            state.bound = state.bound.suffix(Self.keptTokens - 1) + [(token: token, key: key)]
            if state.next == key { state.next = nil }
        }
    }

    /// Removes and returns the key of the request that opened a session; `nil` for tokens that are not bound to it.
    func takeKey(of tokens: Tokens) -> SessionKey? {
        let key = state.withLock { state -> SessionKey? in
            guard let index = state.bound.lastIndex(where: { $0.token == tokens.accessToken }) else { return nil }
            return state.bound.remove(at: index).key
        }
        guard let key else { return nil }
        let thumbprint = BoundKey.thumbprint(in: tokens.accessToken)
        let isBound = thumbprint.map { $0.utf8.elementsEqual(BoundKey.thumbprint(of: key).utf8) } ?? tokens.isBound
        return isBound ? key : nil
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
