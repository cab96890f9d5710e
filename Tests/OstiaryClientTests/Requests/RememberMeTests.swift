import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct RememberMeTests {
    private static func contract(_ identifier: AppRules.IdentifierKind) -> Contract {
        Contract(
            name: "sixth", rules: AppRules(identifier: identifier, refresh: RefreshRules(shortSeconds: 60)),
            prefix: "/six")
    }

    @Test(arguments: [true, false])
    func `asks for a long session by whatever people sign in with`(rememberMe: Bool) async throws {
        for (identifier, text) in [(AppRules.IdentifierKind.phoneNumber, "+15551234567"), (.username, "jo")] {
            let device = try Device(Self.contract(identifier))
            device.network.on(.signIn(of: device.contract), .offline)
            await #expect(throws: ClientError.offline) {
                if identifier == .username {
                    try await device.client.signIn(username: text, password: "p", rememberMe: rememberMe)
                } else {
                    try await device.client.signIn(phoneNumber: text, password: "p", rememberMe: rememberMe)
                }
            }
            let sent = device.network.calls(.signIn(of: device.contract)).first?.json
            #expect(sent?[device.contract.spelling(of: .rememberMe)] == .boolean(rememberMe))
        }
    }
}
