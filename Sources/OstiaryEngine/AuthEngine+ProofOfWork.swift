import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Asks for computations and judges them: see decision 77. A challenge is authenticated rather than stored, so asking for it
/// costs the server nothing.
extension AuthEngine {
    /// Returns a computation for a sign-in with an identifier, known or not.
    func proofOfWork(for identifier: Identifier) -> ProofOfWork {
        let expiresAt = ports.system.now().addingTimeInterval(Double(app.stuffing.challengeSeconds))
        let challenge = ProofOfWorkChallenge(
            bits: UInt8(clamping: app.stuffing.bits), expiresAt: expiresAt.milliseconds,
            nonce: ports.system.randomBytes(ProofOfWorkChallenge.nonceBytes))
        let text = (challenge.bytes + tag(challenge, identifier)).base64URL
        return ProofOfWork(challenge: text, bits: Int(challenge.bits))
    }

    /// Redeems the caller's solution of a computation.
    ///
    /// - Returns: `false` for no solution, a wrong or expired one, one of another app, operation or identifier, and one that was
    ///   redeemed before, on any node.
    func redeemProofOfWork(for identifier: Identifier) async throws -> Bool {
        guard let solution = caller.proofOfWork, let bytes = Base64URL.decode(solution.challenge.utf8),
            let challenge = ProofOfWorkChallenge(bytes),
            constantTimeEqual(tag(challenge, identifier), Array(bytes.dropFirst(challenge.bytes.count)))
        else { return false }
        let expiresAt = Date(milliseconds: challenge.expiresAt)
        guard ports.system.now() < expiresAt,
            ProofOfWork.leadingZeroBits(of: SHA256.hash(data: Data(solution.text.utf8))) >= Int(challenge.bits)
        else { return false }
        let hash = ports.keys.digest(["redeemed", challenge.nonce.base64URL], for: .proofOfWork, app: app.name)
        let record = SingleUseRecord(
            app: app.name, kind: .proofOfWork, hash: hash, payload: [], expiresAt: expiresAt)
        do {
            try await ports.store.add(record)
            return true
        } catch StoreRefusal.alreadySpent {
            return false
        }
    }

    private func tag(_ challenge: ProofOfWorkChallenge, _ identifier: Identifier) -> [UInt8] {
        let bound = [challenge.bytes.base64URL, OperationKind.signIn.rawValue, identifier.canonical]
        return Array(ports.keys.digest(bound, for: .proofOfWork, app: app.name).prefix(ProofOfWorkChallenge.tagBytes))
    }
}

/// The authenticated part of a computation's challenge.
private struct ProofOfWorkChallenge {
    static let nonceBytes = 16
    static let tagBytes = 16

    var bits: UInt8
    /// In milliseconds since 1970.
    var expiresAt: Int64
    var nonce: [UInt8]

    var bytes: [UInt8] { [bits] + withUnsafeBytes(of: expiresAt.bigEndian) { Array($0) } + nonce }

    init(bits: UInt8, expiresAt: Int64, nonce: [UInt8]) {
        (self.bits, self.expiresAt, self.nonce) = (bits, expiresAt, nonce)
    }

    /// - Parameter bytes: The challenge and its tag. Returns nil for another length.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 9 + Self.nonceBytes + Self.tagBytes else { return nil }
        bits = bytes[0]
        expiresAt = bytes[1..<9].reduce(0) { $0 << 8 | Int64($1) }
        nonce = Array(bytes[9..<9 + Self.nonceBytes])
    }
}
