import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

/// `Tests/Signing/proofs.json`, which `check_proofs.py` compares with an implementation of RFC 9449 by others.
@Suite struct DPoPVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var jti: String
        var htm: String
        var htu: String
        var iat: Int
        var nonce: String?
        var x: String
        var y: String
        var proof: String

        var testDescription: String { jti }
    }

    static let vectors: [Vector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Signing/proofs.json")
        return (try? JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test func `there are vectors`() { #expect(Self.vectors.count == 3) }

    @Test(arguments: vectors) func `a proof of another implementation is read, and written in the same way`(
        vector: Vector
    ) throws {
        let proof = try #require(DPoPProof(vector.proof))
        #expect(proof.id == vector.jti)
        #expect(proof.method == vector.htm)
        #expect(proof.url == vector.htu)
        #expect(proof.issuedAt == vector.iat)
        #expect(proof.nonce == vector.nonce)
        #expect(Base64URL.encode(proof.key.x) == vector.x)
        #expect(Base64URL.encode(proof.key.y) == vector.y)
        #expect(DPoPProof.header(proof.unsigned(), signature: proof.signature) == vector.proof)
    }
}
