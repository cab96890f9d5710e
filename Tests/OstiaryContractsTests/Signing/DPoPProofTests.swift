import OstiaryContracts
import OstiaryCore
import Testing

/// The reader of proofs, with the examples of RFC 9449.
@Suite struct DPoPProofTests {
    /// Source: RFC 9449 §4.1, figure 1, for the token request of figure 4.
    private static let tokenRequest =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJo"
        + "RjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.ey"
        + "JqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0I"
        + "joxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"

    @Test func `reads the example of RFC 9449`() throws {
        let proof = try #require(DPoPProof(Self.tokenRequest))
        #expect(proof.id == "-BwC3ESc6acc2lTc")
        #expect(proof.method == "POST")
        #expect(proof.url == "https://server.example.com/token")
        #expect(proof.issuedAt == 1_562_262_616)
        #expect(proof.accessTokenHash == nil)
        #expect(proof.nonce == nil)
        #expect(proof.signature.count == 64)
    }

    @Test func `writes what it reads`() throws {
        let proof = try #require(DPoPProof(Self.tokenRequest))
        var other = proof
        other.accessTokenHash = "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"
        other.nonce = "eyJ7S_zG.eyJH0-Z.HX4w-7v"
        let read = try #require(DPoPProof(DPoPProof.header(other.unsigned(), signature: proof.signature)))
        other.signingInput = read.signingInput
        #expect(read == other)
    }

    /// A proof in JSON, and changes of it that no server may accept. Signatures are not verified here.
    private static func text(_ header: String, _ claims: String, signatureBytes: Int = 64) -> String {
        let signature = [UInt8](repeating: 1, count: signatureBytes)
        return [Array(header.utf8), Array(claims.utf8), signature].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    private static let x = Base64URL.encode([UInt8](repeating: 2, count: 32))
    private static let key = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)"}"#
    private static let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key)}"#
    private static let claims = #"{"jti":"a","htm":"GET","htu":"https://a.example/","iat":1}"#

    @Test func `accepts unknown members`() {
        #expect(DPoPProof(Self.text(Self.header, Self.claims)) != nil)
        let header =
            #"{"kid":"1","typ":"dpop+jwt","alg":"ES256","jwk":{"ext":true,"key_ops":["verify"],"kty":"EC","#
            + #""crv":"P-256","x":"\#(Self.x)","y":"\#(Self.x)"}}"#
        #expect(DPoPProof(Self.text(header, #"{"exp":2,"jti":"a","htm":"GET","htu":"h","iat":1}"#)) != nil)
    }

    @Test(arguments: [
        "{}", "[]", "null", "x", "",
        #"{"typ":"JWT","alg":"ES256","jwk":\#(key)}"#,
        #"{"typ":"DPOP+JWT","alg":"ES256","jwk":\#(key)}"#,
        #"{"typ":"application/dpop+jwt","alg":"ES256","jwk":\#(key)}"#,
        #"{"alg":"ES256","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"none","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"HS256","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"ES384","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"es256","jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":["ES256"],"jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"ES256"}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":"key"}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","kid":"1","jku":"https://a.example/"}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key),"crit":["exp"]}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key),"jwk":\#(key)}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)","d":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"oct","k":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"RSA","n":"\#(x)","e":"AQAB"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"AA","y":"\#(x)"}}"#,
        #"{"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)=","y":"\#(x)"}}"#,
    ])
    func `rejects another header`(header: String) { #expect(DPoPProof(Self.text(header, Self.claims)) == nil) }

    @Test(arguments: [
        "{}", "[]", "x", #"{"htm":"GET","htu":"h","iat":1}"#, #"{"jti":"a","htu":"h","iat":1}"#,
        #"{"jti":"a","htm":"GET","iat":1}"#, #"{"jti":"a","htm":"GET","htu":"h"}"#,
        #"{"jti":"","htm":"GET","htu":"h","iat":1}"#, #"{"jti":1,"htm":"GET","htu":"h","iat":1}"#,
        #"{"jti":"a","htm":["GET"],"htu":"h","iat":1}"#, #"{"jti":"a","htm":"GET","htu":null,"iat":1}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":"1"}"#, #"{"jti":"a","htm":"GET","htu":"h","iat":1e99}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":99999999999999999999}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":1,"ath":1}"#, #"{"jti":"a","htm":"GET","htu":"h","iat":1,"ath":""}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":1,"ath":null}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":1,"nonce":[]}"#,
        #"{"jti":"a","htm":"GET","htu":"h","iat":1,"iat":2}"#, #"{"jti":"ä","htm":"GET","htu":"h","iat":1}"#,
    ])
    func `rejects other claims`(claims: String) { #expect(DPoPProof(Self.text(Self.header, claims)) == nil) }

    @Test(arguments: ["jti", "htm", "htu", "ath", "nonce"])
    func `rejects a claim of any length`(name: String) {
        var members = ["jti": "a", "htm": "GET", "htu": "h"]
        members[name] = String(repeating: "a", count: NormalizedURL.maximumBytes + 1)
        let claims = members.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
        #expect(DPoPProof(Self.text(Self.header, #"{"iat":1,\#(claims)}"#)) == nil)
    }

    @Test func `rejects another form`() {
        let proof = Self.text(Self.header, Self.claims)
        for text in ["", ".", "..", "\(proof).", "\(proof), \(proof)", "\(proof)=", " \(proof)"] {
            #expect(DPoPProof(text) == nil)
        }
        for count in [0, 63, 65, 70] {
            #expect(DPoPProof(Self.text(Self.header, Self.claims, signatureBytes: count)) == nil)
        }
        #expect(DPoPProof(proof + String(repeating: "A", count: DPoPProof.maximumBytes)) == nil)
    }
}

/// The headers beside a proof.
@Suite struct DPoPHeaderTests {
    @Test func `reads one token of the scheme`() {
        #expect(DPoPHeader.token(in: "DPoP abc") == "abc")
        #expect(DPoPHeader.token(in: "dpop abc") == "abc")
        for header in ["Bearer abc", "DPoP", "DPoP ", "DPoP a b", "DPoPabc", ""] {
            #expect(DPoPHeader.token(in: header) == nil)
        }
    }

    @Test func `recognizes the demand for another nonce`() {
        let challenge = "DPoP error=\"use_dpop_nonce\", algs=\"ES256\""
        #expect(DPoPHeader.challenge(error: "use_dpop_nonce") == challenge)
        func asks(_ status: Int, _ headers: [String: String], _ body: String = "") -> Bool {
            DPoPHeader.asksForNonce(WireResponse(status: status, headers: headers, body: Array(body.utf8)))
        }
        #expect(asks(401, ["www-authenticate": challenge, "dpop-nonce": "n"]))
        #expect(asks(400, ["dpop-nonce": "n"], #"{"error":"use_dpop_nonce"}"#))
        #expect(asks(401, ["dpop-nonce": "n"], #"{"error":"text","code":"use_dpop_nonce"}"#))
        #expect(!asks(401, ["www-authenticate": challenge]))
        #expect(!asks(401, ["www-authenticate": "Bearer", "dpop-nonce": "n"]))
        #expect(!asks(200, ["www-authenticate": challenge, "dpop-nonce": "n"]))
    }

    @Test(arguments: ["", "a b", "a\"b", "a\\b", "ä", String(repeating: "a", count: 257)])
    func `ignores a nonce that no proof can carry`(nonce: String) {
        #expect(DPoPHeader.nonce(in: WireResponse(status: 200, headers: ["dpop-nonce": nonce])) == nil)
    }
}
