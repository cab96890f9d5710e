import OstiaryContracts
import OstiaryCore
import Testing

/// What contracts gain without saying a word.
@Suite struct DerivedEndpointTests {
    @Test(arguments: Tested.contracts) func `every contract has sessions, devices, sign-out and signing keys`(
        contract: Contract
    ) {
        let kinds: [OperationKind] = [
            .signOut, .currentUser, .listSessions, .endSession, .listDevices, .forgetDevice, .issueSigningKey,
        ]
        for kind in kinds {
            #expect(contract.endpoint(for: kind) != nil, "\(kind)")
        }
    }

    @Test func `an app without refresh tokens has no refresh`() {
        #expect(Contract.viewvault.endpoint(for: .refresh) == nil)
        #expect(Contract.timetracker.endpoint(for: .refresh) == nil)
        #expect(Contract.clarity.endpoint(for: .refresh) != nil)
    }

    @Test func `an app that signs in elsewhere takes no password`() {
        for kind in [OperationKind.register, .signIn, .changePassword, .requestPasswordReset, .resetPassword] {
            #expect(Contract.timetracker.endpoint(for: kind) == nil, "\(kind)")
        }
    }

    @Test func `codes are for phone numbers`() {
        #expect(Contract.barqnet.endpoint(for: .requestCode)?.path == "/send-otp")
        #expect(Contract.vici.endpoint(for: .requestCode) == nil)
        #expect(Contract.barqnet.endpoint(for: .requestPasswordReset) == nil)
    }

    @Test func `what a contract leaves out is gone`() throws {
        let contract = Contract(
            name: "mine", rules: AppRules(identifier: .email), prefix: "", without: [.deleteAccount])
        #expect(contract.endpoint(for: .deleteAccount) == nil)
        let request = WireRequest(method: "POST", path: "/delete-account")
        #expect(throws: WireRefusal.unknownPath) { try Codec(contract).read(request) }
    }

    @Test func `the status follows from what is answered`() {
        #expect(Contract.vici.endpoint(for: .register)?.status == 201)
        #expect(Contract.vici.endpoint(for: .signIn)?.status == 200)
        #expect(Contract.timetracker.endpoint(for: .beginBrowserSignIn)?.status == 302)
        #expect(Contract.timetracker.endpoint(for: .signOut)?.status == 204)
        #expect(Contract.barqnet.endpoint(for: .signOut)?.status == 200)
    }

    @Test func `two operations share a path by their methods`() throws {
        let shared = Contract.vici.operations.filter { $0.endpoint.path == "/me" }
        #expect(shared.map(\.kind) == [.currentUser, .updateProfile])
    }
}
