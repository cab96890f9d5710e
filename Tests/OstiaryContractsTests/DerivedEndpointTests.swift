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

    @Test(arguments: [Contract.vici, .clarity, .barqnet])
    func `OA-15: a social sign-in is bound to the device that began`(contract: Contract) {
        #expect(contract.endpoint(for: .beginSocialSignIn)?.takes == [.optional(.appChallenge)])
        #expect(
            contract.endpoint(for: .completeSocialSignIn)?.takes
                == [.required(.authorizationCode), .optional(.state), .optional(.appVerifier)])
    }

    @Test func `the social sign-in of viewvault is that of the original API, which has no challenge`() throws {
        let codec = try Codec(.viewvault)
        let begun = try codec.write(BeginSocialSignIn(provider: "google", appChallenge: "E9Mel"))
        #expect(begun.body.isEmpty && begun.headers["content-type"] == nil)
        let ended = try codec.write(
            CompleteSocialSignIn(authorizationCode: Secret("c"), state: Secret("s"), appVerifier: Secret("v")))
        #expect(String(decoding: ended.body, as: UTF8.self) == #"{"code":"c","state":"s"}"#)
        // What a client sends beyond the contract is ignored, whatever it is.
        for body in ["", "x", #"{"app_challenge":1}"#] {
            var request = begun
            request.body = body.bytes
            #expect(try codec.read(request) as? BeginSocialSignIn == BeginSocialSignIn(provider: "google"))
        }
    }

    @Test func `OA-15: a contract names and requires the challenge and its verifier`() throws {
        let file = #"""
            {"name": "mine", "rules": {"identifier": "email"}, "prefix": "",
             "names": {"authorizationCode": "code", "appChallenge": "code_challenge", "appVerifier": "code_verifier"},
             "endpoints": {
               "beginSocialSignIn": {"method": "POST", "path": "/social/{provider}", "takes": ["appChallenge"]},
               "completeSocialSignIn": {
                 "method": "POST", "path": "/social-callback", "takes": ["authorizationCode", "state", "appVerifier"]}}}
            """#
        let codec = try Codec(Contract.read(file.bytes))
        let begun = BeginSocialSignIn(provider: "google", appChallenge: "E9Mel")
        var request = try codec.write(begun)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"code_challenge":"E9Mel"}"#)
        #expect(try codec.read(request) as? BeginSocialSignIn == begun)
        for body in ["", "{}", #"{"code_challenge":null}"#] {
            request.body = body.bytes
            #expect(throws: WireRefusal.refused(.invalid(.appChallenge, .missing))) { try codec.read(request) }
        }
        let ended = CompleteSocialSignIn(
            authorizationCode: Secret("c"), state: Secret("s"), appVerifier: Secret("v"))
        request = try codec.write(ended)
        #expect(
            String(decoding: request.body, as: UTF8.self) == #"{"code":"c","state":"s","code_verifier":"v"}"#)
        #expect(try codec.read(request) as? CompleteSocialSignIn == ended)
        request.body = #"{"code":"c","state":"s"}"#.bytes
        #expect(throws: WireRefusal.refused(.invalid(.appVerifier, .missing))) { try codec.read(request) }
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
