#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct SocialFlowTests {
    private let callback = "viewvault://oauth/callback"
    private let base = "https://app.viewvault.app"

    private func backend(
        answer: @escaping @Sendable (OperationKind) async throws(TransportError) -> WireResponse? = { _ in nil },
        authorization: @escaping @Sendable (Int) -> String = { BrowserBackend.authorization(state: "state-\($0)") }
    ) throws -> BrowserBackend {
        try BrowserBackend(.viewvault, at: base, answer: answer, authorization: authorization)
    }

    @Test func `asks for the configuration, the address, and then exchanges the code`() async throws {
        let (backend, browser) = (try backend(), ScriptedBrowser())
        async let signedIn = backend.signIn(browser, provider: "google")
        let page = try await browser.page()
        #expect(backend.asked == ["config", "google"])
        browser.end(at: callback + "?code=c&state=state-1")
        _ = try await signedIn
        #expect(page.url.absoluteString == BrowserBackend.authorization(state: "state-1"))
        #expect(page.callback == .customScheme("viewvault") && page.isEphemeral)
        #expect(backend.asked == ["config", "google", "callback"])
        #expect(backend.transport.calls[1].bodyText.isEmpty)
        #expect(backend.exchanges == [#"{"code":"c","state":"state-1"}"#])
    }

    @Test(arguments: [
        ("?code=c&state=other", BrowserCallbackProblem.foreignState), ("?code=c", .foreignState),
        ("?error=access_denied&state=other", .foreignState),
        ("?error=access_denied&state=state-1", .refused("access_denied")),
    ])
    func `exchanges nothing that answers another sign-in`(answer: String, problem: BrowserCallbackProblem) async throws
    {
        let backend = try backend()
        await #expect(throws: ClientError.browserAnswer(problem)) {
            try await backend.signIn(ScriptedBrowser(answering: answer), provider: "google")
        }
        #expect(backend.exchanges.isEmpty)
    }

    @Test func `takes the browser's answer where only the backend knows the state`() async throws {
        let backend = try backend(authorization: { _ in "https://app.viewvault.app/api/auth/start?id=1" })
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=theirs"), provider: "github")
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c"), provider: "github")
        #expect(backend.exchanges == [#"{"code":"c","state":"theirs"}"#, #"{"code":"c"}"#])
    }

    @Test(arguments: [
        "", "authorize?state=s", "javascript:alert(1)//?state=s", "http://idp.example.com/authorize?state=s",
        "https://jo@idp.example.com/authorize?state=s", "https:///authorize?state=s", "tel:+15551234567",
        "https://idp.example.com/authorize?state=s&state=t", "https://idp.example.com/authorize?state=",
        "https://idp.example.com/authorize?state=%FF", "https://idp.example.com/a b?state=s",
        "https://idp.example.com\\@evil.example.com/?state=s", "https://idp.example.com/\r\n?state=s",
        "viewvault://oauth/callback?code=x",
    ])
    func `opens nothing but a page`(address: String) async throws {
        let (backend, browser) = (try backend(authorization: { _ in address }), ScriptedBrowser())
        await #expect(throws: ClientError.invalidResponse) { try await backend.signIn(browser, provider: "google") }
        #expect(browser.pages.isEmpty && backend.exchanges.isEmpty)
    }

    @Test func `takes the redirect URI that the address names, if it is one of the contract's`() async throws {
        var contract = Contract.viewvault
        contract.redirectURIs = ["https://app.example.com/back", callback]
        let backend = try BrowserBackend(contract, at: base)
        _ = try await backend.signIn(ScriptedBrowser { _ in "\(callback)?code=c&state=state-1" }, provider: "google")
        #expect(backend.exchanges.count == 1)
    }

    @Test func `a configuration that is refused decides nothing`() async throws {
        let backend = try backend { kind in
            kind == .socialConfiguration ? .refusal(.notConfigured, in: .viewvault) : nil
        }
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=state-1"), provider: "github")
        #expect(backend.asked == ["config", "github", "callback"])
    }

    @Test(arguments: [AuthError.notFound, .notConfigured])
    func `opens no browser for a provider that the backend does not have`(refusal: AuthError) async throws {
        let backend = try backend { kind in
            kind == .beginSocialSignIn ? .refusal(refusal, in: .viewvault) : nil
        }
        await #expect(throws: ClientError.refused(refusal)) {
            try await backend.signIn(ScriptedBrowser(), provider: "google")
        }
    }

    @Test func `opens no browser while there is no connection`() async throws {
        let backend = try backend { _ throws(TransportError) in throw .offline }
        await #expect(throws: ClientError.offline) { try await backend.signIn(ScriptedBrowser(), provider: "google") }
        #expect(backend.asked == ["config"])
    }

    @Test func `says which providers there are where none was named`() async throws {
        let backend = try backend()
        await #expect(throws: ClientError.invalidRequest("a provider is needed, one of google, github")) {
            try await backend.signIn(ScriptedBrowser())
        }
        await #expect(throws: ClientError.invalidRequest("the provider has no name")) {
            try await backend.signIn(ScriptedBrowser(), provider: "")
        }
        #expect(backend.transport.calls.isEmpty)
    }

    @Test func `takes the only provider that there is`() async throws {
        var contract = Contract.viewvault
        contract.socialProviders = ["github"]
        let backend = try BrowserBackend(contract, at: base)
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=state-1"))
        #expect(backend.asked == ["config", "github", "callback"])
    }

    @Test func `works for contracts that have derived endpoints only`() async throws {
        let backend = try BrowserBackend(Self.derived, at: base)
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=state-1"), provider: "google")
        #expect(backend.asked == ["google", "social-callback"])
    }

    // MARK: Binding to the device

    private static var derived: Contract {
        var contract = Contract.vici
        contract.redirectURIs = ["vici://oauth/callback"]
        return contract
    }

    /// Signs in and returns the bodies of the two requests.
    private func bodies(_ contract: Contract, bindsDevice: Bool = true) async throws -> (begun: JSON, ended: JSON) {
        let backend = try BrowserBackend(contract, at: base, bindsDevice: bindsDevice)
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=state-1"), provider: "google")
        let bodies = try backend.transport.calls.map { try JSON.read($0.request.body) }
        try #require(bodies.count == 2)
        return (bodies[0], bodies[1])
    }

    @Test func `OA-15: shows the challenge at the beginning and its verifier at the end, by the contract's names`()
        async throws
    {
        var renamed = Self.derived
        renamed.names[.appChallenge] = "code_challenge"
        renamed.names[.appVerifier] = "code_verifier"
        for contract in [Self.derived, renamed] {
            let (begun, ended) = try await bodies(contract)
            guard case .object(let members) = begun, members.count == 1,
                case .string(let challenge) = begun[contract.spelling(of: .appChallenge)],
                case .string(let verifier) = ended[contract.spelling(of: .appVerifier)]
            else {
                Issue.record("\(begun), \(ended)")
                continue
            }
            #expect(verifier.utf8.count == 43)
            #expect(challenge == Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))))
        }
    }

    @Test func `makes another verifier each time`() async throws {
        let verifiers = [try await bodies(Self.derived), try await bodies(Self.derived)].map { $0.ended["appVerifier"] }
        #expect(verifiers[0] != nil && verifiers[0] != verifiers[1])
    }

    @Test func `binds nothing where the app says so`() async throws {
        let (begun, ended) = try await bodies(Self.derived, bindsDevice: false)
        #expect(begun == [:])
        #expect(ended == ["authorizationCode": "c", "state": "state-1"])
    }

    @Test(arguments: [true, false])
    func `binds nothing where the contract has a place for one half only`(hasChallenge: Bool) async throws {
        var contract = Self.derived
        contract.endpoints[hasChallenge ? .completeSocialSignIn : .beginSocialSignIn] =
            hasChallenge
            ? .post("/social-callback", takes: [.required(.authorizationCode), .optional(.state)])
            : .post("/social/{provider}", takes: [])
        let backend = try BrowserBackend(contract, at: base)
        _ = try await backend.signIn(ScriptedBrowser(answering: "?code=c&state=state-1"), provider: "google")
        #expect(backend.transport.calls[0].bodyText == (hasChallenge ? "{}" : ""))
        #expect(backend.exchanges == [#"{"authorizationCode":"c","state":"state-1"}"#])
    }

    @Test func `takes no link where only the backend knows the state, bound or not`() async throws {
        let backend = try BrowserBackend(
            Self.derived, at: base, authorization: { _ in "https://app.viewvault.app/api/auth/start?id=1" })
        let browser = ScriptedBrowser()
        async let signedIn = backend.signIn(browser, provider: "google")
        try await browser.page()
        #expect(!backend.flow.slot.take("vici://oauth/callback?code=evil&state=evil"))
        browser.end(at: "vici://oauth/callback?code=c&state=own")
        _ = try await signedIn
        #expect(backend.exchanges.count == 1 && backend.exchanges[0].contains("own"))
    }
}
