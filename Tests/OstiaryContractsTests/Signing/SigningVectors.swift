import Foundation
import OstiaryContracts
import Testing

/// `Tests/Signing/vectors.json`, which `check_vectors.py` compares with an implementation by others.
struct SigningVectors: Decodable {
    var rfc9421B25: Example
    var same: [[String]]
    var vectors: [Vector]

    /// The example of RFC 9421 §B.2.5.
    struct Example: Decodable {
        var components: [Component]
        var parameters: String
        var base: String
    }

    struct Component: Decodable {
        var name: String
        var value: String
    }

    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var method: String
        var path: String
        var query: String
        var body: String
        var authorization: String
        var created: Int
        var keyID: String
        var nonce: String
        var contentDigest: String
        var base: String
        var signatureInput: String
        var signature: String

        var testDescription: String { name }

        /// The request with the headers that the vector expects.
        var signedRequest: WireRequest {
            WireRequest(
                method: method, path: path, query: query,
                headers: [
                    "authorization": authorization, "content-digest": contentDigest, "signature-input": signatureInput,
                    "signature": signature,
                ], body: Array(body.utf8))
        }

        enum CodingKeys: String, CodingKey {
            case name, method, path, query, body, authorization, created, nonce, base, signature
            case keyID = "key_id"
            case contentDigest = "content_digest"
            case signatureInput = "signature_input"
        }
    }

    enum CodingKeys: String, CodingKey {
        case rfc9421B25 = "rfc9421_b25"
        case same, vectors
    }

    static func read() throws -> SigningVectors {
        let file = Tested.root.appending(path: "Tests/Signing/vectors.json")
        return try JSONDecoder().decode(SigningVectors.self, from: Data(contentsOf: file))
    }
    /// Empty if the file cannot be read, which a test of its own finds.
    static let all = (try? read().vectors) ?? []
}
