import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Testing

/// A third party's backend, whose contract exists only as a JSON file.
@Suite(.timeLimit(.minutes(5)))
struct SixthContractTests {
    @Test func `is among the contracts that every test here walks`() throws {
        let sixth = try Contract.sixth()
        #expect(Contract.all.contains(sixth))
        #expect(Contract.preset(sixth.name) == nil)
    }

    @Test func `takes a person from registration to sign-out`() async throws {
        try await AppClient.run(Contract.sixth(), over: .socket) { client in
            _ = try await client.register()
            let jo = try await client.signIn()
            let next = try await client.refresh(jo.tokens.refreshToken)
            #expect(try await client.auth.perform(CurrentUser(accessToken: next.accessToken)) == jo.user)
            _ = try await client.auth.perform(SignOut(accessToken: next.accessToken))
            await #expect(throws: AuthError.sessionRevoked) { try await client.user(jo) }
            await #expect(throws: AuthError.refreshTokenRevoked) { try await client.refresh(next.refreshToken) }
        }
    }

    @Test func `spells everything its own way`() async throws {
        try await AppClient.run(Contract.sixth(), over: .socket) { client in
            _ = try await client.register()
            let body =
                #"{"mobile":"\#(try AppClient.phoneNumber.e164)","passphrase":"\#(AppClient.password.reveal())"}"#
            let response = try await client.auth.send(
                WireRequest(
                    method: "PUT", path: "/gate/session", headers: ["content-type": "application/json"],
                    body: Array(body.utf8)))
            let answer = try JSON.read(response.body)
            #expect(response.status == 200)
            #expect(answer["ok"] == true)
            #expect(answer["result"]?["grower"]?["mobile"] == .string(try AppClient.phoneNumber.e164))
            guard case .string = answer["result"]?["accessKey"], case .string = answer["result"]?["renewalKey"] else {
                Issue.record("no tokens")
                return
            }
        }
    }

    @Test func `says its refusals in its own words`() async throws {
        try await AppClient.run(Contract.sixth(), over: .socket) { client in
            let response = try await client.auth.send(
                WireRequest(
                    method: "PUT", path: "/gate/session", headers: ["content-type": "application/json"],
                    body: Array(#"{"mobile":"+15551112222","passphrase":"whatever else"}"#.utf8)))
            #expect(response.status == 401)
            #expect(
                response.body
                    == Array(
                        #"{"ok":false,"problem":"Number and passphrase do not go together.","code":"wrong_credentials"}"#
                            .utf8))
        }
    }
}
