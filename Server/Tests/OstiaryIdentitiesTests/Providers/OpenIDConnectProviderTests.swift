import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryIdentities

/// Rows OA-09, OA-25, OA-26 and UP-03: the requests to a provider, and the results of its answers.
@Suite(.timeLimit(.minutes(5))) struct OpenIDConnectProviderTests {
    @Test func `OA-09 sends state, nonce, an S256 challenge and the least scope, and keeps the endpoint's query`()
        async throws
    {
        try await withProviderBench(settings: { $0.parameters = ["prompt": "login", "state": "fixed"] }) { bench in
            let url = try await bench.provider.authorizationURL(for: ProviderBench.request)
            #expect(
                url == "\(bench.peer.base)/authorize?tenant=a%20b&response_type=code&client_id=client-1"
                    + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fauth%2Fcallback%3Fx%3D1"
                    + "&scope=openid%20profile%20email&state=state%20%26%20more&nonce=nonce-1"
                    + "&code_challenge=challenge-1&code_challenge_method=S256&prompt=login")
        }
    }

    @Test func `redeems a code with its verifier and makes a person of the claims`() async throws {
        try await withProviderBench { bench in
            try await bench.behave(["now": .integer(bench.clock.seconds)])
            let identity = try await bench.identity()
            #expect(
                identity
                    == ProviderIdentity(
                        issuer: bench.peer.base, subject: "person-1", email: try EmailAddress("ada@example.com"),
                        isEmailVerified: true, preferredUsername: "ada", fullName: try PersonName("Ada Lovelace")))
            let request = try #require(try await bench.requests("/token").first)
            #expect(
                request["form"] == [
                    "grant_type": "authorization_code", "code": "code-of-the-provider",
                    "redirect_uri": "https://app.example.com/auth/callback",
                    "code_verifier": .string(String(repeating: "v", count: 43)),
                ])
            // RFC 6749 §2.3.1: both are form-encoded before they are joined.
            let credentials = Data("client-1:s3cret%20of%20the%20client%3A%20%C3%A4%2B%2F%25".utf8)
            #expect(request.text(at: "headers", "authorization") == "Basic \(credentials.base64EncodedString())")
            #expect(request.text(at: "headers", "accept") == "application/json")
            #expect(request.text(at: "headers", "user-agent") == "Ostiary")
            #expect(try await bench.requests("/userinfo").isEmpty)
        }
    }

    static let methods: [(supported: JSON, forced: ClientAuthentication?, isPost: Bool)] = [
        (.null, nil, false), (["client_secret_post"], nil, true),
        (["client_secret_post", "client_secret_basic"], nil, false), (["private_key_jwt"], nil, false),
        (["client_secret_basic"], .post, true), (["client_secret_post"], .basic, false),
    ]

    @Test(arguments: methods)
    func `shows the client secret in the way that the provider takes`(
        supported: JSON, forced: ClientAuthentication?, isPost: Bool
    ) async throws {
        try await withProviderBench(settings: { $0.authentication = forced }) { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "discovery": ["token_endpoint_auth_methods_supported": supported],
            ])
            _ = try await bench.identity()
            let request = try #require(try await bench.requests("/token").first)
            #expect(request.text(at: "form", "client_secret") == (isPost ? ProviderBench.clientSecret : nil))
            #expect((request.text(at: "headers", "authorization") == nil) == isPost)
        }
    }

    static let refusals: [(answer: JSON, outcome: IdentityProviderRefusal)] = [
        (["status": 400, "body": #"{"error":"invalid_grant"}"#], .codeRefused),
        (["status": 401, "body": #"{"error":"invalid_grant"}"#], .codeRefused),
        (["status": 403, "body": #"{"error":"invalid_grant"}"#], .codeRefused),
        (["status": 200, "body": #"{"error":"invalid_grant"}"#], .codeRefused),
        (["status": 200, "body": #"{"error":"invalid_grant","id_token":"x","access_token":"y"}"#], .codeRefused),
        (["status": 200, "body": #"{"access_token":"x"}"#], .codeRefused),
        (["status": 200, "body": #"{"id_token":7}"#], .codeRefused),
        (["status": 429, "headers": ["Retry-After": "17"]], .throttled(retryAfterSeconds: 17)),
        (["status": 429, "headers": ["Retry-After": "99999999999999999999"]], .throttled(retryAfterSeconds: 10)),
        (["status": 429, "headers": ["Retry-After": "-5"]], .throttled(retryAfterSeconds: 1)),
    ]

    @Test func `UP-03 a code that is refused, or an answer that lacks the token, is a refused code`() async throws {
        try await withProviderBench { bench in
            for (answer, outcome) in Self.refusals {
                try await bench.behave(["now": .integer(bench.clock.seconds), "answers": ["/token": answer]])
                let error = await problem { try await bench.identity() }
                #expect(error as? IdentityProviderRefusal == outcome, "\(answer)")
            }
        }
    }

    static let faults: [JSON] = [
        ["status": 200, "body": "<html>"], ["status": 200, "body": "[]"], ["status": 200, "body": ""],
        ["status": 200, "body": #"{"id_token":"a","id_token":"b"}"#], ["status": 400, "body": "nonsense"],
        ["status": 401, "body": #"{"error":"invalid_client"}"#], ["status": 404, "body": "{}"],
        ["status": 301, "body": "{}"], ["status": 201, "body": #"{"id_token":"x"}"#],
    ]

    @Test func `UP-03 an answer that is none is the provider's failure and no refusal`() async throws {
        try await withProviderBench { bench in
            for answer in Self.faults {
                try await bench.behave(["now": .integer(bench.clock.seconds), "answers": ["/token": answer]])
                let error = await problem { try await bench.identity() }
                #expect(error is UpstreamProblem, "\(answer): \(String(describing: error))")
            }
        }
    }

    @Test func `asks at the userinfo endpoint for what the token lacks`() async throws {
        try await withProviderBench { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "id_token": ["drop": ["email", "email_verified", "name"]],
                "answers": [
                    "/userinfo": [
                        "body":
                            #"{"sub":"person-1","email":"a@b.example","email_verified":true,"name":"Other","preferred_username":"x"}"#
                    ]
                ],
            ])
            let identity = try await bench.identity()
            #expect(identity.email?.text == "a@b.example")
            #expect(identity.isEmailVerified)
            #expect(identity.fullName?.text == "Other")
            #expect(identity.preferredUsername == "ada")
            let requests = try await bench.requests("/userinfo")
            #expect(requests.map { $0.text(at: "headers", "authorization") } == ["Bearer access-token-1"])
        }
    }

    @Test func `an address from userinfo is not verified by what the ID token says`() async throws {
        try await withProviderBench { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "id_token": ["drop": ["email"]],
                "answers": ["/userinfo": ["body": #"{"sub":"person-1","email":"a@b.example"}"#]],
            ])
            let identity = try await bench.identity()
            #expect(identity.email?.text == "a@b.example")
            #expect(!identity.isEmailVerified)
        }
    }

    @Test(
        arguments: [
            ["body": #"{"sub":"person-2","email":"a@b.example"}"#], ["body": #"{"email":"a@b.example"}"#],
            ["body": "eyJhbGciOiJub25lIn0.e30."], ["status": 500, "body": "{}"], ["how": "reset"], ["how": "silent"],
        ] as [JSON])
    func `OA-26 takes nothing from a userinfo answer that fails or is about somebody else`(answer: JSON) async throws {
        // Less than the transport's time limit.
        try await withProviderBench(operationDeadline: .seconds(20)) { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "id_token": ["drop": ["email", "email_verified"]],
                "answers": ["/userinfo": answer],
            ])
            let identity = try await bench.identity()
            #expect(identity.subject == "person-1")
            #expect(identity.email == nil)
        }
    }

    static let labels: [(claims: JSON, email: String?, isVerified: Bool)] = [
        (["email_verified": true], "ada@example.com", true), (["email_verified": false], "ada@example.com", false),
        (["email_verified": "true"], "ada@example.com", false), (["email_verified": 1], "ada@example.com", false),
        (["email_verified": .null], "ada@example.com", false), (["email": "no address"], nil, false),
        (["email": 7], nil, false), (["email": "a@b.example, c@d.example"], nil, false),
        (["email": .string(String(repeating: "a", count: 300) + "@example.com")], nil, false),
    ]

    @Test func `OA-25 only a JSON true verifies an address, and a bad address is none`() async throws {
        try await withProviderBench { bench in
            for (claims, email, isVerified) in Self.labels {
                try await bench.behave(["now": .integer(bench.clock.seconds), "id_token": ["claims": claims]])
                let identity = try await bench.identity()
                #expect(identity.email?.text == email, "\(claims)")
                #expect(identity.isEmailVerified == isVerified, "\(claims)")
            }
        }
    }

    @Test func `OA-26 a name that cannot be shown is none`() async throws {
        try await withProviderBench { bench in
            for name in ["a\u{202E}b", "line\nbreak", "", String(repeating: "n", count: 201)] {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds),
                    "id_token": ["claims": ["name": .string(name), "preferred_username": 7]],
                ])
                let identity = try await bench.identity()
                #expect(identity.fullName == nil)
                #expect(identity.preferredUsername == nil)
            }
        }
    }

    @Test func `OA-34 no error and no description shows a secret`() async throws {
        try await withProviderBench { bench in
            let secrets = ["code-of-the-provider", "vvvvvvvv", "s3cret", "access-token-1", "nonce-1", "state & more"]
            for answer in Self.faults + Self.refusals.map(\.answer) + [["how": "reset"]] {
                try await bench.behave(["now": .integer(bench.clock.seconds), "answers": ["/token": answer]])
                let error = await problem { try await bench.identity() }
                let text = "\(String(describing: error)) \(String(reflecting: error))"
                #expect(!secrets.contains { text.contains($0) }, "\(text)")
            }
            let request = UpstreamRequest(
                .post, "\(bench.peer.base)/token?code=code-of-the-provider",
                headers: [(name: "Authorization", value: "s3cret")], body: Array("s3cret".utf8))
            let response = UpstreamResponse(status: 200, body: Array("access-token-1".utf8))
            var dumped = ""
            dump(request, to: &dumped)
            dump(response, to: &dumped)
            #expect("\(request)" == "POST \(bench.peer.base)")
            #expect(!secrets.contains { dumped.contains($0) })
        }
    }

    @Test func `takes no ID token of a device where no app of ours gets one`() async throws {
        try await withProviderBench { bench in
            let error = await problem {
                try await bench.provider.identity(fromToken: Secret("a.b.c"), nonce: Secret("nonce-1"))
            }
            #expect(error as? IdentityProviderRefusal == .notOffered)
        }
    }
}
