import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

/// A client with a preset that was written to JSON under another name behaves as with the preset itself.
@Suite(.timeLimit(.minutes(5))) struct RenamedPresetTests {
    @Test(arguments: Contract.presets) func `a client behaves the same`(preset: Contract) async throws {
        var renamed = preset
        renamed.name = "company"
        let file = try Contract.read(renamed.json().bytes)
        #expect(file.name == "company")
        let expected = try await Scenario(preset).trace()
        #expect(expected.count > 20)
        #expect(try await Scenario(file).trace() == expected)
    }

    /// The life of a session, with every request, its answer and every state of the client written down.
    private final class Scenario: Sendable {
        private let server: TestServer
        private let client: AuthClient
        private let lines = Mutex<[String]>([])
        private let account = PreviewAccount.ada

        init(_ contract: Contract) throws {
            server = try TestServer(contract, baseURL: "https://app.example.com", seed: 1)
            let kind = contract.rules.identifier
            if kind != .subject {
                try server.addAccount(
                    email: account.email, username: kind == .username ? account.email : nil,
                    phoneNumber: kind == .phoneNumber ? account.phoneNumber : nil, password: account.password)
            }
            server.route("GET", "/projects") { visit in .json(#""\#(visit.user.email?.text ?? "")""#) }
            client = try server.client()
        }

        func trace() async throws -> [String] {
            await step("sign in") { () throws(ClientError) in try await signIn(password: account.password) }
            await step("request") { () throws(ClientError) in try await request() }
            server.clock.advance(by: .seconds(server.contract.rules.accessTokenSeconds + 1))
            await step("request after the token's end") { () throws(ClientError) in try await request() }
            await step("sign in again") { () throws(ClientError) in try await signIn(password: account.password) }
            server.goDown()
            await step("request while the server is down") { () throws(ClientError) in try await client.refreshUser() }
            server.comeBack()
            await step("request when it is back") { () throws(ClientError) in try await request() }
            await step("sessions") { () throws(ClientError) in
                _ = try await client.accountSessions().map(\.isCurrent)
            }
            await step("factors") { () throws(ClientError) in _ = try await client.factors() }
            await step("another authenticator") { () throws(ClientError) in _ = try await client.addTOTP() }
            await step("name") { () throws(ClientError) in try await client.updateProfile(name: "Ada King") }
            await step("password") { () throws(ClientError) in
                try await client.changePassword(from: account.password, to: "another password of mine")
            }
            await step("request after it") { () throws(ClientError) in try await request() }
            await step("reset") { () throws(ClientError) in try await client.requestPasswordReset(email: account.email)
            }
            for message in server.messages { note("message to \(message.to)") }
            server.endSessions(of: account.email)
            await step("request of an ended session") { () throws(ClientError) in try await request() }
            await step("sign in with the former password") { () throws(ClientError) in
                try await signIn(password: account.password)
            }
            await step("sign out") { () throws(ClientError) in _ = try await client.signOut() }
            note(server.performed.map { "\($0)" }.joined(separator: " "))
            return lines.withLock { $0 }
        }

        private func signIn(password: String) async throws(ClientError) {
            switch server.contract.rules.identifier {
            case .phoneNumber: try await client.signIn(phoneNumber: account.phoneNumber, password: password)
            case .username: try await client.signIn(username: account.email, password: password)
            case .email: try await client.signIn(email: account.email, password: password)
            case .subject: try await client.signInWithBrowser(using: ScriptedBrowser(server))
            }
        }

        private func request() async throws(ClientError) {
            let answer: String = try await client.get("/projects")
            note("answer \(answer)")
        }

        private func step(_ name: String, _ body: () async throws(ClientError) -> Void) async {
            do throws(ClientError) {
                try await body()
                note("\(name): done, \(stateName)")
            } catch {
                note("\(name): \(error.name), \(stateName)")
            }
        }

        private var stateName: String {
            switch client.state {
            case .signedIn: "signed in"
            case .signedOut(let reason): "signed out: \(reason)"
            default: "\(client.state)"
            }
        }

        private func note(_ line: String) { lines.withLock { $0.append(line) } }
    }
}
