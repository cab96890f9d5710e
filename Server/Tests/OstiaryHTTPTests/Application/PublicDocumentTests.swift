import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PublicDocumentTests {
    @Test(arguments: Contract.all) func `describes every operation at its path`(contract: Contract) async throws {
        try await LiveServer.run(World([contract])) { server in
            let answer = try await server.ask("/\(contract.name)/openapi.json")
            let document = try answer.json
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "application/json")
            for (kind, endpoint) in contract.operations {
                // A variable part of the path has the name that the contract gives to its field.
                let path = endpoint.path.replacing(/{(\w+)}/) { part in
                    "{\(Field(rawValue: String(part.1)).map { contract.spelling(of: $0, in: endpoint) } ?? "")}"
                }
                let operation = document["paths"]?[contract.prefix + path]?[endpoint.method.rawValue.lowercased()]
                #expect(operation != nil, "\(kind.rawValue)")
            }
        }
    }

    @Test func `describes the app where its clients find it`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            // Independent of the request's host.
            let document = try await server.ask("/vici/openapi.json", host: "evil.example").json
            #expect(document["openapi"] == "3.1.0")
            #expect(document["servers"] == [["url": "https://auth.example.com/vici"]])
        }
    }

    @Test func `publishes the key that signs, and only its public half`() async throws {
        let world = try await World([.clarity])
        let token = try await AppClient(.clarity, in: world).register().tokens.accessToken.reveal()
        try await LiveServer.run(world) { server in
            let set = try await server.ask("/clarity/.well-known/jwks.json").json
            guard case .array(let keys) = set["keys"], keys.count == 1, case .object(let members) = keys[0] else {
                Issue.record("not one key")
                return
            }
            #expect(Set(members.map(\.name)).isSubset(of: ["kty", "crv", "x", "y", "kid", "alg", "use"]))
            #expect(try Self.isSigned(token, by: keys[0]))
        }
    }

    /// Verifies an ES256 signature with only the published key. Source: RFC 7515 §5.2, RFC 7518 §3.4.
    private static func isSigned(_ token: String, by key: JSON) throws -> Bool {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count == 3, case .string(let x) = key["x"], case .string(let y) = key["y"] else { return false }
        let point = decode(x) + decode(y)
        let publicKey = try P256.Signing.PublicKey(rawRepresentation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: decode(parts[2]))
        return publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }

    private static func decode(_ base64URL: String) -> Data {
        var text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text) ?? Data()
    }

    @Test func `has no key to publish where a shared secret signs`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            let answer = try await server.ask("/vici/.well-known/jwks.json")
            #expect(answer.status == 404)
            #expect(try answer.json["code"] == "not_found")
        }
    }

    @Test(arguments: ["/vici/openapi.json", "/vici/verify", "/vici/.well-known/jwks.json"])
    func `takes nothing but GET and HEAD`(path: String) async throws {
        try await LiveServer.run(World([.vici])) { server in
            let answer = try await server.post(path, "{}")
            #expect(answer.status == 405)
            #expect(answer["allow"] == "GET, HEAD")
            #expect(try answer.json["code"] == "method_not_allowed")
        }
    }
}
