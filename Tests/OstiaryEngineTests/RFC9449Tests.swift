import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The examples of RFC 9449, at the time and for the requests that it describes.
@Suite struct RFC9449Tests {
    private static let key =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJo"
        + "RjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"
    /// Source: §5, figure 4.
    private static let tokenRequest =
        key
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi"
        + "aWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
    /// Source: §7.1, figure 12.
    private static let resourceRequest =
        key
        + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0"
        + "ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9."
        + "2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
    private static let accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    @Test func `the thumbprint of the example's key is the one of section 6`() throws {
        let proof = try #require(DPoPProof(Self.tokenRequest))
        let thumbprint = Base64URL.encode(Array(SHA256.hash(data: Data(proof.key.thumbprintInput))))
        #expect(thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    /// Source: RFC 7638 §3.2: the required members of a key on a curve, in lexicographic order and without white space.
    @Test func `the input of a thumbprint has the form of RFC 7638`() throws {
        let proof = try #require(DPoPProof(Self.tokenRequest))
        #expect(
            String(decoding: proof.key.thumbprintInput, as: UTF8.self)
                == #"{"crv":"P-256","kty":"EC","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs","#
                + #""y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"}"#)
    }

    @Test(arguments: [tokenRequest, resourceRequest]) func `the signatures are valid`(text: String) throws {
        let proof = try #require(DPoPProof(text))
        let key = try P256.Signing.PublicKey(rawRepresentation: proof.key.rawRepresentation)
        #expect(
            key.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: proof.signature), for: Data(proof.signingInput)))
    }

    @Test func `the hash of the example's access token is its ath`() throws {
        let proof = try #require(DPoPProof(Self.resourceRequest))
        let hash = Base64URL.encode(Array(SHA256.hash(data: Data(Self.accessToken.utf8))))
        #expect(proof.accessTokenHash == hash)
    }

    /// The nonce is checked after all that the request determines.
    @Test(arguments: [
        (0.0, "POST", "https://server.example.com/token", true),
        (300, "POST", "https://server.example.com/token", true),
        (301, "POST", "https://server.example.com/token", false), (0, "GET", "https://server.example.com/token", false),
        (0, "POST", "https://server.example.com/other", false),
    ])
    func `the token request lacks a nonce only`(
        seconds: TimeInterval, method: String, url: String, isExpected: Bool
    ) async throws {
        let world = try World.vici { $0.dpop.requirement = .accepted }
        world.clock.setWall(to: Date(timeIntervalSince1970: 1_562_262_616 + seconds))
        let caller = Caller(dpopProof: PresentedProof(proof: DPoPProof(Self.tokenRequest), method: method, url: url))
        let refusal = await refusal { try await world.engine.serving(caller).perform(BindingWorld.register()) }
        #expect(refusal == (isExpected ? .useDPoPNonce(nonce: world.engine.dpopNonce) : .invalidDPoPProof))
    }
}
