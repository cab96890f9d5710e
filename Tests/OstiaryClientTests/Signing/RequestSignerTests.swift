import Foundation
@testable import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Testing

/// What the client signs is what the vectors say, which Python compares with an implementation by others.
@Suite struct RequestSignerTests {
    struct Document: Decodable {
        var vectors: [Vector]
    }

    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var name, method, path, query, body, authorization, nonce, key, signature: String
        var created: Int
        var keyID, contentDigest, signatureInput: String

        var testDescription: String { name }

        enum CodingKeys: String, CodingKey {
            case name, method, path, query, body, authorization, nonce, key, signature, created
            case keyID = "key_id"
            case contentDigest = "content_digest"
            case signatureInput = "signature_input"
        }

        var signer: RequestSigner {
            get throws {
                let bytes = try #require(Data(base64Encoded: key))
                return RequestSigner(key: RequestSigningKey(id: keyID, secret: Secret(Array(bytes))))
            }
        }
    }

    private static let vectors: [Vector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Signing/vectors.json")
        guard let data = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode(Document.self, from: data).vectors) ?? []
    }()

    @Test func `reads the vectors`() { #expect(Self.vectors.count >= 25) }

    @Test(arguments: vectors) func `signs every vector as Python does`(vector: Vector) throws {
        let request = WireRequest(
            method: vector.method, path: vector.path, query: vector.query,
            headers: ["authorization": vector.authorization], body: Array(vector.body.utf8))
        let time = Date(timeIntervalSince1970: Double(vector.created) + 0.9)
        let signed = try vector.signer.sign(
            request, to: BaseURL("https://auth.example.com"), at: time, nonce: vector.nonce)
        #expect(signed.headers["signature"] == vector.signature)
        #expect(signed.headers["signature-input"] == vector.signatureInput)
        #expect(signed.headers["content-digest"] == vector.contentDigest)
        #expect(signed.body == request.body && signed.path == request.path && signed.query == request.query)
    }

    @Test(arguments: [
        ("https://auth.example.com/vici", "/vici"), ("http://[::1]:8080/a/b/", "/a/b"), ("https://h.example", ""),
        ("https://h.example/", ""),
    ])
    func `signs the base URL's path too`(url: String, path: String) throws {
        let baseURL = try BaseURL(url)
        #expect(baseURL.path == path)
        let vector = try #require(Self.vectors.first)
        func signature(_ path: String, to url: BaseURL) throws -> String? {
            let request = WireRequest(method: "GET", path: path, headers: ["authorization": "Bearer x"])
            return try vector.signer.sign(request, to: url, at: Date(), nonce: vector.nonce).headers["signature"]
        }
        let root = try BaseURL("https://h.example")
        #expect(try signature("/me", to: baseURL) == signature("\(path)/me", to: root))
    }

    @Test func `signs nothing without a token`() throws {
        let vector = try #require(Self.vectors.first)
        #expect(throws: ClientError.self) {
            try vector.signer.sign(
                WireRequest(method: "GET", path: "/"), to: BaseURL("https://h.example"), at: Date(), nonce: vector.nonce
            )
        }
    }

    @Test(arguments: [Date.distantPast, Date(timeIntervalSince1970: .infinity)])
    func `signs nothing at a time that is none`(time: Date) throws {
        let vector = try #require(Self.vectors.first)
        let request = WireRequest(method: "GET", path: "/", headers: ["authorization": "Bearer x"])
        #expect(throws: ClientError.self) {
            try vector.signer.sign(request, to: BaseURL("https://h.example"), at: time, nonce: vector.nonce)
        }
    }

    @Test func `makes nonces that a server takes, each another`() {
        let nonces = Set((0..<1000).map { _ in RequestSigner.randomNonce() })
        #expect(nonces.count == 1000)
        #expect(nonces.allSatisfy { SignatureInput(created: 1, keyID: "k", nonce: $0) != nil && $0.utf8.count == 22 })
    }
}
