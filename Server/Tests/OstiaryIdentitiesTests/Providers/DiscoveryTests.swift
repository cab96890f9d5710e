import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryIdentities

/// Row OA-23: metadata that would redirect users, codes or secrets to another server.
@Suite(.timeLimit(.minutes(5))) struct DiscoveryTests {
    static let issuer = "https://idp.example.com/tenant"

    static func document(_ changes: [String: JSON] = [:]) -> [UInt8] {
        var members: [String: JSON] = [
            "issuer": .string(issuer), "authorization_endpoint": "https://idp.example.com/authorize",
            "token_endpoint": "https://idp.example.com/token", "jwks_uri": "https://keys.example.net/jwks",
        ]
        members.merge(changes) { $1 }
        return JSON.object(members.map { JSON.Member($0.key, $0.value) }).bytes
    }

    static func isTaken(_ changes: [String: JSON], hosts: [String] = ["keys.example.net"]) -> Bool {
        (try? ProviderMetadata(document(changes), issuer: issuer, hosts: hosts)) != nil
    }

    @Test(arguments: [
        "https://idp.example.com", "https://idp.example.com/tenant/", "https://IDP.example.com/tenant",
        "http://idp.example.com/tenant", "https://idp.example.com/Tenant", "", "https://evil.example/tenant",
    ])
    func `OA-23 refuses the document of another issuer`(issuer: String) {
        #expect(Self.isTaken([:]))
        #expect(!Self.isTaken(["issuer": .string(issuer)]))
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])
    func `OA-23 UP-10 refuses an endpoint elsewhere`(endpoint: String) {
        #expect(Self.isTaken([endpoint: "https://idp.example.com/x"]))
        let elsewhere: [JSON] = [
            "https://evil.example/x", "http://idp.example.com/x", "https://idp.example.com:8443/x",
            "https://idp.example.com.evil.example/x", "https://idp.example.com@evil.example/x",
            "https://evil.example\\@idp.example.com/x", "https://evil.example#@idp.example.com/x", "file:///etc/passwd",
            "https://127.0.0.1/x", "https://169.254.169.254/latest/meta-data", "gopher://idp.example.com/", "/x", "",
            "https:///x", "https://[::1]/x", "https://keys.example.net:444/x", "https://idp.example.com:99999/x",
            "https://idp.example.com/x y", "https://idp.example.com/\u{E9}", 7, ["https://idp.example.com/x"],
        ]
        for url in elsewhere { #expect(!Self.isTaken([endpoint: url]), "\(url)") }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `OA-23 refuses a document that lacks an endpoint`(endpoint: String) {
        #expect(!Self.isTaken([endpoint: .null]))
    }

    @Test func `OA-23 takes endpoints on hosts that the settings list, with their ports`() {
        #expect(!Self.isTaken([:], hosts: []))
        #expect(!Self.isTaken([:], hosts: ["keys.example.net:8443"]))
        #expect(Self.isTaken(["jwks_uri": "https://keys.example.net:8443/jwks"], hosts: ["KEYS.example.net:8443"]))
    }

    static let bad: [JSON] = [
        ["body": "<html>"], ["body": "[]"], ["body": ""], ["status": 404], ["status": 500], ["how": "reset"],
        ["status": 302, "headers": ["Location": "/moved"]], ["how": "endless"], ["padding": 1_048_577],
        ["body": #"{"issuer":"a","issuer":"b"}"#],
    ]

    @Test(arguments: bad)
    func `OA-23 UP-01 refuses a document that is none, moved or longer than 1 MiB`(answer: JSON) async throws {
        try await withProviderBench { bench in
            try await bench.behave(["answers": ["/.well-known/openid-configuration": answer]])
            let error = await problem { try await bench.provider.authorizationURL(for: ProviderBench.request) }
            #expect(error is UpstreamProblem)
            #expect(try await bench.requests("/moved").isEmpty)
            // A refused document is not cached.
            try await bench.behave([:])
            #expect(await problem { try await bench.provider.authorizationURL(for: ProviderBench.request) } == nil)
        }
    }

    @Test func `OA-23 reads a document of nearly 1 MiB`() async throws {
        try await withProviderBench { bench in
            try await bench.behave(["answers": ["/.well-known/openid-configuration": ["padding": 1_000_000]]])
            #expect(await problem { try await bench.provider.authorizationURL(for: ProviderBench.request) } == nil)
        }
    }

    @Test(arguments: ["silent", "dripping"])
    func `OA-23 UP-01 waits for a slow document only so long`(how: String) async throws {
        try await withProviderBench(limits: .init(deadline: .milliseconds(300))) { bench in
            // Settings take effect through a transport with a long time limit.
            let patient = HTTPUpstreamTransport(limits: .init(deadline: .seconds(30)))
            try await bench.peer.behave(
                ["answers": ["/.well-known/openid-configuration": ["how": .string(how)]]], over: patient)
            let error = await problem { try await bench.provider.authorizationURL(for: ProviderBench.request) }
            #expect(error as? UpstreamProblem == .timedOut(origin: bench.peer.base))
        }
    }

    @Test func `reads the document once an hour, and keeps it for a day while it cannot be read`() async throws {
        try await withProviderBench { bench in
            func url() async throws -> String { try await bench.provider.authorizationURL(for: ProviderBench.request) }
            let path = "/.well-known/openid-configuration"
            _ = try await url()
            bench.clock.advance(by: .seconds(3599))
            _ = try await url()
            #expect(try await bench.requests(path).count == 1)
            bench.clock.advance(by: .seconds(1))
            _ = try await url()
            #expect(try await bench.requests(path).count == 2)

            try await bench.behave(["answers": .object([.init(path, ["status": 503])])])
            bench.clock.advance(by: .seconds(86_399))
            _ = try await url()
            bench.clock.advance(by: .seconds(1))
            #expect(await problem { try await url() } is UpstreamProblem)
        }
    }

    @Test func `many sign-ins at once read the document once`() async throws {
        try await withProviderBench { bench in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { try await bench.provider.authorizationURL(for: ProviderBench.request) }
                }
                for try await _ in group {}
            }
            #expect(try await bench.requests("/.well-known/openid-configuration").count == 1)
        }
    }
}
