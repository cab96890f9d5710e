import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

/// The refusal of a sign-in that a provider's fault ended: the state has been redeemed, even if the code was not.
@Suite struct UnfinishedSignInTests {
    @Test(arguments: Contract.all, [OperationKind.completeBrowserSignIn, .completeSocialSignIn])
    func `PT-36: promises nothing for a second try with a spent state`(contract: Contract, kind: OperationKind) throws {
        let codec = try Codec(contract)
        for error in [AuthError.unavailable(incident: "0123abcd"), .busy(retryAfterSeconds: 10)] {
            let response = codec.write(error, to: kind)
            let body = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == 503)
            #expect(response.headers["retry-after"] != nil)
            #expect(!body.localizedCaseInsensitiveContains("try again"))
            #expect(body.contains("Begin the sign-in again."))
        }
    }

    @Test(arguments: Contract.all) func `PT-36: says of every other operation that it can be tried again`(
        contract: Contract
    ) throws {
        let codec = try Codec(contract)
        let error = AuthError.unavailable(incident: "0123abcd")
        #expect(codec.write(error, to: .signIn) == codec.write(error))
    }
}
