import OstiaryContracts
import Testing

/// What a signature is made over (SG-05): the vectors are also read by the client's tests and by Python.
@Suite struct SignatureBaseTests {
    @Test func `makes the signature base of RFC 9421's example`() throws {
        let example = try SigningVectors.read().rfc9421B25
        let components = example.components.map { SignatureBase.Component($0.name, $0.value) }
        let base = SignatureBase.write(components, parameters: example.parameters)
        #expect(String(decoding: base, as: UTF8.self) == example.base)
        #expect(SigningVectors.all.count >= 25)
    }

    @Test(arguments: SigningVectors.all)
    func `makes the base of every vector, as the server reads it`(vector: SigningVectors.Vector) throws {
        let signed = try #require(SignedRequest(vector.signedRequest))
        #expect(String(decoding: signed.base, as: UTF8.self) == vector.base)
        #expect(signed.input.header == vector.signatureInput)
        #expect(signed.input.created == vector.created && signed.input.keyID == vector.keyID)
    }

    @Test(arguments: SigningVectors.all)
    func `makes the base of every vector, as the client writes it`(vector: SigningVectors.Vector) throws {
        let digest = try #require(ContentDigest.read(vector.contentDigest))
        let input = try #require(SignatureInput(created: vector.created, keyID: vector.keyID, nonce: vector.nonce))
        let bare = WireRequest(
            method: vector.method, path: "/below", query: vector.query,
            headers: ["authorization": vector.authorization, "signature": "of before"], body: Array(vector.body.utf8))
        var base: [UInt8] = []
        let signed = bare.signed(input, path: vector.path, contentSHA256: digest) { bytes in
            base = bytes
            return [UInt8](repeating: 7, count: 32)
        }
        #expect(String(decoding: base, as: UTF8.self) == vector.base)
        #expect(signed?.path == "/below")
        #expect(signed?.headers["content-digest"] == vector.contentDigest)
        #expect(signed?.headers["signature-input"] == vector.signatureInput)
        #expect(signed?.headers["signature"] == "ostiary=:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=:")
    }

    @Test func `tells requests apart that only look alike`() throws {
        let document = try SigningVectors.read()
        var names: [[UInt8]: [String]] = [:]
        for vector in document.vectors {
            let base = try #require(SignedRequest(vector.signedRequest)).base
            names[base, default: []].append(vector.name)
        }
        #expect(names.values.filter { $0.count > 1 }.map { $0.sorted() } == document.same.map { $0.sorted() })
    }

    @Test func `signs nothing that bears no token`() throws {
        let input = try #require(SignatureInput(created: 1, keyID: "k", nonce: String(repeating: "n", count: 22)))
        let request = WireRequest(method: "GET", path: "/")
        #expect(request.signed(input, path: "/", contentSHA256: [], by: { $0 }) == nil)
    }
}
