import Foundation
import OstiaryCore
import Testing

@testable import OstiaryProvider

@Suite struct ClientAuthenticationTests {
    /// Source: RFC 6749 §2.3.1 (both parts are form-encoded before they are joined).
    private static let encoded = "s3cret+of+the+house%2Fwith%2Bsigns%25and%3Acolons"

    @Test func `a secret is shown in the header, form-encoded, or in the body`() async throws {
        let world = try await World()
        #expect(
            try world.provider.authenticatedClient([:], authorization: basic("house:\(Self.encoded)")).id == "house")
        #expect(
            try world.provider.authenticatedClient(
                ["client_id": "house"], authorization: basic("house:\(Self.encoded)")
            ).id == "house")
        #expect(
            try world.provider.authenticatedClient(
                ["client_id": "house", "client_secret": World.secret], authorization: nil
            ).id == "house")
    }

    @Test func `a public client says who it is and nothing more`() async throws {
        let world = try await World()
        #expect(try world.provider.authenticatedClient(["client_id": "stranger"], authorization: nil).id == "stranger")
    }

    @Test(arguments: [
        [:], ["client_id": "nobody"], ["client_id": "house"], ["client_id": "house", "client_secret": "wrong"],
        ["client_id": "house", "client_secret": World.secret + " "],
        ["client_id": "HOUSE", "client_secret": World.secret],
        ["client_id": "nobody", "client_secret": World.secret],
        ["client_id": "stranger", "client_secret": "any"], ["client_secret": World.secret],
        ["client_id": "neighbour", "client_secret": World.secret],
    ])
    func `anybody else is refused alike`(form: [String: String]) async throws {
        let world = try await World()
        #expect(throws: OAuthError.invalidClient) {
            try world.provider.authenticatedClient(form, authorization: nil)
        }
    }

    @Test(arguments: [
        "house:wrong", "house", "", "house:", ":\(ClientAuthenticationTests.encoded)", "stranger:", "stranger:any",
        "house:%zz",
    ])
    func `a header that does not authenticate is refused`(credentials: String) async throws {
        let world = try await World()
        #expect(throws: OAuthError.invalidClient) {
            try world.provider.authenticatedClient([:], authorization: basic(credentials))
        }
    }

    @Test(arguments: ["Basic", "Basic !!!", "Bearer abc", "Basic  aG91c2U6", "Digest x"])
    func `a header of another scheme or form is refused, whatever the body says`(header: String) async throws {
        let world = try await World()
        #expect(throws: OAuthError.invalidClient) {
            try world.provider.authenticatedClient(["client_id": "stranger"], authorization: header)
        }
    }

    @Test func `two ways at once, or two clients at once, are refused`() async throws {
        let world = try await World()
        let header = basic("house:\(Self.encoded)")
        for form in [["client_id": "house", "client_secret": World.secret], ["client_id": "neighbour"]] {
            do {
                _ = try world.provider.authenticatedClient(form, authorization: header)
                Issue.record("accepted")
            } catch {
                #expect(error.code == "invalid_request")
            }
        }
    }

    private func basic(_ credentials: String) -> String {
        "Basic \(Data(credentials.utf8).base64EncodedString())"
    }
}
