import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import Testing

@testable import OstiaryHTTP

/// The sign-in page in a network whose sign-ins failed with many identifiers.
@Suite(.timeLimit(.minutes(5))) struct ProviderProofOfWorkTests {
    private static let credentials = ["email": Browser.email, "password": Browser.password]

    /// A provider with an account whose network is another one, and an attack from the browser's address.
    private func attacked() async throws -> ProviderWorld {
        let world = try await ProviderWorld(adjusting: { app in
            app.stuffing = CredentialStuffingPolicy(identifiers: 3, bits: 6)
        })
        let engine = world.server.provider.engine
        _ = try await engine.serving(Caller(network: "203.0.113.1")).perform(
            Register(email: EmailAddress(Browser.email), password: Secret(Browser.password)))
        for index in 0..<3 {
            let call = SignIn(
                identifier: .email(try EmailAddress("person-\(index)@example.com")), password: Secret("wrong password"))
            _ = try? await engine.serving(Caller(network: "192.0.2.7")).perform(call)
        }
        return world
    }

    private func solution(in page: Browser.Page) throws -> String {
        let challenge = try #require(page.html.firstMatch(of: /data-work="([^"]*)" data-bits="6"/)?.1)
        let solutions = (0..<UInt64.max).lazy.map { ProofOfWorkSolution(challenge: String(challenge), counter: $0) }
        // Six zero bits at the beginning.
        let solution = solutions.first { Array(SHA256.hash(data: Data($0.text.utf8)))[0] < 4 }
        return try #require(solution).text
    }

    @Test func `asks the browser for a computation, and signs in with it`() async throws {
        let browser = Browser(in: try await attacked())
        let first = try await browser.submit(try await browser.get("/idp/sign-in"), Self.credentials)
        #expect(first.status == 429 && first.response.headers["retry-after"] != nil)
        #expect(first.html.contains("<script src=\"\(ProofOfWorkScript.path)\" defer></script>"))
        #expect(first.hidden[HostedPage.SignIn.proofOfWorkField] == "")
        let second = try await browser.submit(
            first, Self.credentials.merging([HostedPage.SignIn.proofOfWorkField: solution(in: first)]) { $1 })
        #expect(second.status == 303)
    }

    @Test func `without a script says how long to wait, and asks again`() async throws {
        let browser = Browser(in: try await attacked())
        let first = try await browser.submit(try await browser.get("/idp/sign-in"), Self.credentials)
        #expect(first.html.contains("Without JavaScript, try again in"))
        #expect(first.html.contains(#"href="/idp/device-link""#))
        let second = try await browser.submit(first, Self.credentials)
        #expect(second.status == 429 && second.html.contains("data-work="))
    }

    @Test func `no other page has the computation`() async throws {
        let browser = Browser(in: try await attacked())
        let page = try await browser.get("/idp/sign-in")
        #expect(page.status == 200 && !page.html.contains("data-work"))
    }

    @Test func `the script is an asset that is found`() throws {
        let request = WireRequest(method: "GET", path: ProofOfWorkScript.path)
        #expect(PageAssets.response(to: request)?.status == 200)
    }
}
