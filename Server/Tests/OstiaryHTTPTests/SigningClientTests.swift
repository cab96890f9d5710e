import Foundation
import OstiaryTesting
@testable import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// The client's signing against a server that requires it, over the socket.
@Suite(.timeLimit(.minutes(5)))
struct SigningClientTests {
    @Test(arguments: [0, -3600, 3600, 86_400.0])
    func `gets through with a clock that is wrong`(ahead: TimeInterval) async throws {
        let world = try await World([.vici]) { $0.requestSigning = .required }
        // The server's Date is the machine's time, so the clock that validates signatures must show the same time.
        world.clock.setWall(to: Date())
        try await LiveServer.run(world) { server in
            let client = try AppClient(.vici, in: world, at: server.origin, over: URLSessionTransport())
            let auth = client.auth
            let jo = try await client.register()
            let signing = RequestSigning(
                baseURL: auth.baseURL, now: { Date() + ahead },
                fetch: { token, _ throws(ClientError) in
                    do throws(AuthError) {
                        return try await auth.perform(IssueSigningKey(accessToken: token.token))
                    } catch {
                        throw .refused(error)
                    }
                }, keep: { _, _ in })
            let token = IssuedToken(
                ClientSession(
                    id: .init(rawValue: "jo"), contract: "vici", baseURL: auth.baseURL, accountID: nil, label: "jo",
                    accessToken: jo.tokens.accessToken, refreshToken: nil, issuedAt: Date(), expiresAt: nil))
            let request = try auth.codec.write(CurrentUser(accessToken: jo.tokens.accessToken))
            for _ in 0..<2 {
                let response = try await signing.send(request, as: token) { request throws(ClientError) in
                    do throws(TransportError) { return try await auth.send(request) } catch { throw .network(error) }
                }
                #expect(try auth.codec.read(response, to: CurrentUser.self) == jo.user)
            }
            let skew = await signing.skew.seconds
            #expect(abs(skew + ahead) < 60)
        }
    }
}
