import OstiaryContracts
import OstiaryCore
import Testing

/// One spelling of a signature, and every other refused (SG-02, SG-04).
@Suite struct SignatureFormTests {
    private static let nonce = "AAECAwQFBgcICQoLDA0ODw"
    private static let input =
        "ostiary=(\"@method\" \"@path\" \"@query\" \"content-digest\" \"authorization\");created=1700000000;keyid=\"k-_9\";alg=\"hmac-sha256\";nonce=\"\(nonce)\""
    private static let digest = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
    private static let signature = "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:"

    private func read(_ changed: [String: String] = [:], without name: String? = nil) -> SignedRequest? {
        let good = [
            "authorization": "Bearer x", "signature-input": Self.input, "content-digest": Self.digest,
            "signature": Self.signature,
        ]
        let headers = good.merging(changed) { $1 }.filter { $0.key != name }
        return SignedRequest(WireRequest(method: "GET", path: "/", headers: headers))
    }

    @Test func `reads the one spelling`() throws {
        let signed = try #require(read())
        #expect(signed.input.created == 1_700_000_000 && signed.input.keyID == "k-_9")
        #expect(signed.input.nonce == Self.nonce)
        #expect(signed.signature.count == 32 && signed.contentSHA256.count == 32)
    }

    @Test(arguments: ["authorization", "signature-input", "content-digest", "signature"])
    func `reads nothing where a header is missing`(name: String) {
        #expect(read(without: name) == nil)
    }

    @Test(arguments: [
        ("created=1700000000", "created=\"1700000000\""), ("created=1700000000", "created=1700000000.0"),
        ("created=1700000000", "created=+1700000000"), ("created=1700000000", "created=01700000000"),
        ("created=1700000000", "created=-1"), ("created=1700000000", "created="),
        ("created=1700000000", "created=99999999999999999999"), ("created=1700000000;", ""),
        (";created=1700000000", ";created=1700000000;created=1700000000"),
        (";created=1700000000", ";expires=1900000000;created=1700000000"), (";alg=\"hmac-sha256\"", ""),
        ("hmac-sha256", "hmac-sha512"), ("hmac-sha256", "HMAC-SHA256"), ("keyid=\"k-_9\"", "keyid=k-_9"),
        ("k-_9", ""), ("k-_9", "k 9"), ("k-_9", "k\\\"9"), ("k-_9", String(repeating: "k", count: 65)),
        ("\"@method\" ", ""), ("\"@query\" ", ""), ("\"content-digest\" ", ""), (" \"authorization\"", ""),
        ("\"@method\" \"@path\"", "\"@path\" \"@method\""), ("\"@path\"", "\"@path\" \"@path\""),
        ("\"@method\"", "\"@method\";req"), ("(\"", "( \""), ("ostiary=", "other="), ("ostiary=", "Ostiary="),
        ("ostiary=", "ostiary= "), (";keyid", "; keyid"), (";nonce", ";tag=\"x\";nonce"), (nonce, "short"),
        (nonce, String(repeating: "n", count: 21)), (nonce, String(repeating: "n", count: 65)),
        (nonce, "\(nonce)="), (nonce, "\(nonce)\u{E9}"), ("created", "Created"),
    ])
    func `refuses another Signature-Input`(part: String, other: String) {
        let header = Self.input.replacing(part, with: other, maxReplacements: 1)
        #expect(!header.utf8.elementsEqual(Self.input.utf8))
        #expect(SignatureInput(header: header) == nil)
    }

    @Test(arguments: ["", " ", ";", ",", ", other=(\"@method\");created=1", "\u{0}", ";tag=\"x\""])
    func `refuses a Signature-Input with something around it`(extra: String) {
        #expect((SignatureInput(header: Self.input + extra) == nil) == !extra.isEmpty)
        #expect((SignatureInput(header: extra + Self.input) == nil) == !extra.isEmpty)
        #expect(SignatureInput(header: Self.input + ", " + Self.input) == nil)
    }

    @Test(arguments: [
        "", "ostiary=", "ostiary=::", "ostiary=:AAAA:", "PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM:",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CN=:",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8C ==:",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:;x",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:, ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:",
        "other=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:",
        "ostiary=:3EF249E0F3B5B65300C76F356EBAA72091CDDA1A2241ED18B7D62D2F6A98F023:",
        "ostiary=:PvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CPvJJ4PO1tlMAx281brqnIJHN2hoiQe0Yt9YtL2qY8CM=:",
    ])
    func `refuses another Signature`(header: String) { #expect(read(["signature": header]) == nil) }

    @Test(arguments: [
        "", "sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "SHA-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
        "sha-512=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:", "sha-256=:47DEQpj8:",
        "sha-256=:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=:",
        "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:, sha-512=:AAAA:",
    ])
    func `refuses another Content-Digest`(header: String) { #expect(read(["content-digest": header]) == nil) }

    @Test func `claims a signature with either header`() {
        #expect(SignedRequest.isClaimed(by: ["signature": ""]))
        #expect(SignedRequest.isClaimed(by: ["signature-input": ""]))
        #expect(!SignedRequest.isClaimed(by: ["content-digest": "", "authorization": ""]))
    }

    @Test func `signs what is for signed-in people, but the way in, the way out and the key itself`() {
        let signed = OperationKind.allCases.filter(\.isSigned)
        #expect(
            signed == [
                .currentUser, .updateProfile, .changePassword, .deleteAccount, .listSessions, .endSession, .listDevices,
                .forgetDevice, .stepUp, .listFactors, .beginTOTP, .confirmTOTP, .renameFactor, .removeFactor,
                .replaceRecoveryCodes,
                .beginPasskeyRegistration, .registerPasskey, .listPermissions, .checkPermission,
            ])
    }

    @Test(arguments: Tested.contracts) func `tells a refused signature from a refused token`(contract: Contract) throws
    {
        let codec = try Codec(contract)
        let response = codec.write(.signatureRefused)
        #expect(SignatureRefusal.isRequested(by: response))
        var bare = response
        bare.body = []
        #expect(SignatureRefusal.isRequested(by: bare))
        var unnamed = response
        unnamed.headers = [:]
        #expect(SignatureRefusal.isRequested(by: unnamed))
        #expect(!SignatureRefusal.isRequested(by: codec.write(.invalidAccessToken)))
        var other = response
        other.status = 403
        #expect(!SignatureRefusal.isRequested(by: other))
    }
}
