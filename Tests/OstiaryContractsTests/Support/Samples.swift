import Foundation
import OstiaryContracts
import OstiaryCore

/// Operations and answers for every operation of a contract, with what the contract carries and nothing else.
struct Samples {
    let contract: Contract
    /// Whether optional parts are there.
    let isFull: Bool

    private static let password = Secret("pä\"ss\\wo\u{0}rd\n\u{7F}\u{1F511} '</script>")
    private static let token = Secret("eyJ.a-b_c~d+e/f=")
    private static let other = Secret("eyJ.other")

    func scenes() throws -> [Scene] { try contract.operations.map { try scene($0.kind, $0.endpoint) } }

    /// The operations that confirm a factor, with the answer that completes a sign-in.
    func completedSignIns() throws -> [Scene] {
        guard let endpoint = contract.endpoint(for: .answerChallenge) else { return [] }
        let (signedIn, codes) = (try signedIn(endpoint), isFull ? [Secret("ABCDE-FGHJK")] : nil)
        return [
            Scene(
                ConfirmTOTP(
                    accessToken: Self.token, factorID: try FactorID("A-1_b"), code: try OneTimeCode("001234")),
                answers: FactorConfirmation<RecoveryCodes>.signedIn(signedIn, recoveryCodes: codes)),
            Scene(
                RegisterPasskey(accessToken: Self.token, passkeyToken: Self.other, credential: Self.credential),
                answers: FactorConfirmation<AddedFactor>.signedIn(signedIn, recoveryCodes: codes)),
        ]
    }

    private func scene(_ kind: OperationKind, _ endpoint: Endpoint) throws -> Scene {
        let request = Carried(
            fields: (endpoint.takes ?? []).map(\.field),
            optional: Set((endpoint.takes ?? []).filter(\.isOptional).map(\.field)), isFull: isFull)
        let token = Self.token, password = Self.password
        switch kind {
        case .register: return Scene(try register(request), answers: try signedIn(endpoint))
        case .confirmRegistration:
            let call =
                isFull
                ? ConfirmRegistration(token: token, password: password)
                : ConfirmRegistration(token: token, passkey: Self.passkey)
            return Scene(call, answers: try signedIn(endpoint))
        case .signIn: return Scene(try signIn(request), answers: try signedIn(endpoint))
        case .requestCode:
            return Scene(RequestCode(phoneNumber: try number), answers: CodeRequested(codeSession: "a/b %ü+"))
        case .verifyCode:
            return Scene(
                VerifyCode(phoneNumber: try number, code: try OneTimeCode("001234"), codeSession: "a/b %ü+"),
                answers: CodeVerified(verificationToken: Self.other))
        case .refresh: return Scene(Refresh(refreshToken: token), answers: tokens(endpoint))
        case .signOut:
            let call = SignOut(
                accessToken: token, refreshToken: request.value(Self.other, of: .refreshToken),
                alsoEnding: request.has(.alsoEnding) && isFull ? Self.other : nil)
            return Scene(call, answers: Done())
        case .currentUser: return Scene(CurrentUser(accessToken: token), answers: try user)
        case .updateProfile:
            let name = request.value(try PersonName("Zoë \"Z\" O'Neil"), of: .fullName)
            return Scene(UpdateProfile(accessToken: token, fullName: name), answers: try user)
        case .changePassword:
            let call = ChangePassword(
                accessToken: token, currentPassword: request.value(password, of: .currentPassword),
                newPassword: Self.other)
            let renews = if case .fields = endpoint.answers { true } else { false }
            return Scene(call, answers: PasswordChanged(tokens: renews ? tokens(endpoint) : nil))
        case .requestPasswordReset: return Scene(RequestPasswordReset(email: try email), answers: Done())
        case .resetPassword:
            let proof: ResetPassword.Proof =
                request.has(.phoneNumber) ? .code(try OneTimeCode("0000"), try number) : .token(token)
            return Scene(ResetPassword(proof: proof, password: password), answers: Done())
        case .deleteAccount:
            let call = DeleteAccount(accessToken: token, password: request.value(password, of: .password))
            return Scene(call, answers: Done())
        case .listSessions: return Scene(ListSessions(accessToken: token), answers: try sessions)
        case .endSession:
            return Scene(EndSession(accessToken: token, sessionID: try SessionID("A-1_b")), answers: Done())
        case .listDevices: return Scene(ListDevices(accessToken: token), answers: DeviceList(devices: try devices))
        case .forgetDevice:
            return Scene(ForgetDevice(accessToken: token, deviceID: try DeviceID("A-1_b")), answers: Done())
        case .requestDeviceLink:
            return Scene(RequestDeviceLink(identifier: try identifier), answers: Done())
        case .redeemDeviceLink: return Scene(RedeemDeviceLink(token: Secret("T0k-_")), answers: Done())
        case .issueSigningKey:
            let key = RequestSigningKey(id: "k_-9", secret: Secret(Array(UInt8.min...31)))
            return Scene(
                IssueSigningKey(accessToken: token, refreshToken: request.value(Self.other, of: .refreshToken)),
                answers: key)
        case .stepUp:
            let call = StepUp(
                accessToken: token, level: request.value(.aal2, of: .acr),
                maximumAgeSeconds: request.value(300, of: .maxAge))
            return Scene(call, answers: authentication)
        case .listFactors:
            return Scene(
                ListFactors(accessToken: token),
                answers: FactorList(factors: isFull ? [try factor] : [], recoveryCodesLeft: 8, isRequired: isFull))
        case .listPermissions:
            let grants = [
                GrantedPermission(.all),
                GrantedPermission(try PermissionPattern("videos:*"), in: try PermissionScope("project:42")),
            ]
            return Scene(ListPermissions(accessToken: token), answers: PermissionList(isFull ? grants : []))
        case .beginAttestation: return Scene(BeginAttestation(), answers: AttestationChallenge(challenge: "a-_9"))
        case .attestKey:
            return Scene(AttestKey(keyID: "k-_9", attestation: "o2Nm", challenge: "a-_9"), answers: Done())
        case .checkPermission:
            return Scene(
                CheckPermission(
                    accessToken: token, permission: try Permission("videos:write"),
                    scope: isFull ? try PermissionScope("project:42") : nil),
                answers: PermissionDecision(isAllowed: isFull))
        case .beginTOTP:
            let answer = PendingTOTP(
                factorID: try FactorID("A-1_b"), secret: Secret("ABC"), uri: Secret("otpauth://totp/a:b%40c?secret=ABC")
            )
            return Scene(BeginTOTP(accessToken: token), answers: answer)
        case .confirmTOTP:
            let call = ConfirmTOTP(
                accessToken: token, factorID: try FactorID("A-1_b"), code: try OneTimeCode("001234"),
                name: request.value(try FactorName("Zoë's phone"), of: .name))
            let codes = RecoveryCodes(codes: isFull ? [Secret("ABCDE-FGHJK")] : nil)
            return Scene(call, answers: FactorConfirmation.added(codes))
        case .renameFactor:
            let call = RenameFactor(
                accessToken: token, factorID: try FactorID("A-1_b"), name: try FactorName("Zoë's phone"))
            return Scene(call, answers: try factor)
        case .removeFactor:
            return Scene(RemoveFactor(accessToken: token, factorID: try FactorID("A-1_b")), answers: Done())
        case .replaceRecoveryCodes:
            return Scene(
                ReplaceRecoveryCodes(accessToken: token), answers: RecoveryCodes(codes: [Secret("ABCDE-FGHJK")]))
        case .beginPasskeyRegistration:
            return Scene(BeginPasskeyRegistration(accessToken: token), answers: passkeyOptions)
        case .registerPasskey:
            let call = RegisterPasskey(
                accessToken: token, passkeyToken: Self.other, credential: Self.credential,
                name: request.value(try FactorName("Zoë's phone"), of: .name))
            let codes = isFull ? [Secret("ABCDE-FGHJK")] : nil
            let added = AddedFactor(factor: try factor, recoveryCodes: codes)
            return Scene(call, answers: FactorConfirmation.added(added))
        case .beginPasskeySignIn: return Scene(BeginPasskeySignIn(), answers: passkeyOptions)
        case .signInWithPasskey:
            let call = SignInWithPasskey(
                passkeyToken: Self.other, credential: Self.credential, rememberMe: request.has(.rememberMe) && isFull,
                device: request.has(.deviceInfo) ? device : nil)
            return Scene(call, answers: try signedIn(endpoint))
        case .beginPasskeyAccount:
            return Scene(BeginPasskeyAccount(identifier: try identifier), answers: passkeyOptions)
        case .sendChallengeCode:
            return Scene(SendChallengeCode(challengeToken: token, method: .smsCode), answers: Done())
        case .beginPasskeyChallenge:
            return Scene(
                BeginPasskeyChallenge(challengeToken: token),
                answers: PasskeyOptions(publicKey: #"{"challenge":"AQ","allowCredentials":[]}"#))
        default: return try browserScene(kind, endpoint, request)
        }
    }

    /// No contract renames or removes anything in it.
    private static let credential = #"{"id":"AQ","response":{"user_handle":null,"userHandle":"Ag"},"x":[1,true,"é"]}"#

    private static let passkey = PasskeyResponse(token: other, credential: credential)

    private var passkeyOptions: PasskeyOptions {
        PasskeyOptions(token: Self.other, publicKey: #"{"challenge":"AQ","rp":{"id":"example.com"},"timeout":300000}"#)
    }

    private var authentication: SessionAuthentication {
        SessionAuthentication(
            level: .aal2, time: Date(timeIntervalSince1970: 1_800_000_000), methods: ["mfa", "otp", "pwd"])
    }

    private var factor: EnrolledFactor {
        get throws {
            let time = Date(timeIntervalSince1970: 1_800_000_000)
            return EnrolledFactor(
                id: try FactorID("A-1_b"), type: .totp, name: "Zoë's phone", createdAt: time,
                lastUsedAt: isFull ? time : nil)
        }
    }

    private func browserScene(_ kind: OperationKind, _ endpoint: Endpoint, _ request: Carried) throws -> Scene {
        let destination = BrowserDestination(url: "https://idp.example.com/authorize?a=b&state=%C3%BC#x")
        let redirect = "app://callback?x=1&y=ü %20+;/#"
        switch kind {
        case .beginBrowserSignIn:
            let call = BeginBrowserSignIn(
                redirectURI: redirect, appChallenge: request.value("E9Mel-_", of: .appChallenge),
                provider: request.value("google", of: .provider))
            return Scene(call, answers: destination)
        case .completeBrowserSignIn:
            let call = CompleteBrowserSignIn(
                authorizationCode: Self.token, state: Self.other, redirectURI: redirect,
                appVerifier: request.value(Self.password, of: .appVerifier))
            return Scene(call, answers: try signedIn(endpoint))
        case .socialConfiguration:
            let answer = SocialConfiguration(
                domain: "tenant.example.com", clientID: "id", audience: "https://a.example")
            return Scene(GetSocialConfiguration(), answers: answer)
        case .beginSocialSignIn:
            let call = BeginSocialSignIn(
                provider: provider, appChallenge: request.value("E9Mel-_", of: .appChallenge))
            return Scene(call, answers: destination)
        case .completeSocialSignIn:
            let call = CompleteSocialSignIn(
                authorizationCode: Self.token, state: request.value(Self.other, of: .state),
                appVerifier: request.value(Self.password, of: .appVerifier))
            return Scene(call, answers: try signedIn(endpoint))
        case .signInWithIdentityToken:
            let call = SignInWithIdentityToken(
                provider: provider, identityToken: Self.token, nonce: Self.other,
                fullName: request.value(try PersonName("José ‘x’"), of: .fullName))
            return Scene(call, answers: try signedIn(endpoint))
        default:
            let answers = isFull ? ["NEW_PASSWORD": Self.password, "a \"b\"": Secret("")] : [:]
            return Scene(
                AnswerChallenge(challengeToken: Self.token, answers: answers), answers: try signedIn(endpoint))
        }
    }

    // MARK: Parts

    private var provider: String { contract.socialProviders.last ?? "apple" }

    private var email: EmailAddress { get throws { try EmailAddress("Jürgen.O'Neil+tag@Bücher.example") } }
    private var number: PhoneNumber { get throws { try PhoneNumber("+15551234567") } }
    private var username: Username { get throws { try Username("用户 \"x\"") } }
    private var device: DeviceInfo {
        isFull ? DeviceInfo(deviceID: "8E6F", platform: "iOS \"x\"", osVersion: "18.0", appVersion: "1") : DeviceInfo()
    }

    private func register(_ request: Carried) throws -> Register {
        var call = Register(
            email: request.value(try email, of: .email), username: request.value(try username, of: .username),
            phoneNumber: request.value(try number, of: .phoneNumber), password: Self.password,
            fullName: request.value(try PersonName("José ‘x’"), of: .fullName),
            code: request.value(try OneTimeCode("012345"), of: .code), rememberMe: request.has(.rememberMe) && isFull,
            device: request.value(device, of: .deviceInfo))
        // A passkey stands in the place of the password.
        if !isFull, request.has(.passkeyToken) { (call.password, call.passkey) = (nil, Self.passkey) }
        return call
    }

    private var identifier: Identifier {
        get throws {
            switch contract.rules.identifier {
            case .email: .email(try email)
            case .phoneNumber: .phoneNumber(try number)
            case .username, .subject: .username(try username)
            }
        }
    }

    private func signIn(_ request: Carried) throws -> SignIn {
        SignIn(
            identifier: try identifier, password: Self.password, rememberMe: request.has(.rememberMe) && isFull,
            device: request.has(.deviceInfo) ? device : nil)
    }

    private var user: User {
        get throws {
            let carried = Carried(
                fields: contract.user.map(\.field), optional: Set(contract.user.filter(\.isOptional).map(\.field)),
                isFull: isFull)
            let isIntegral = contract.rules.accountIDs == .integer
            let roles = carried.has(.roles) ? ["admin", "édi\"tor"] : carried.has(.isAdmin) && isFull ? ["admin"] : []
            return User(
                id: try AccountID(isIntegral ? "123" : "3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
                email: carried.value(try email, of: .email), username: carried.value(try username, of: .username),
                phoneNumber: carried.value(try number, of: .phoneNumber),
                fullName: carried.value(try PersonName("Zoë"), of: .fullName), roles: roles,
                authProvider: carried.value("auth0", of: .authProvider) ?? "local")
        }
    }

    private func tokens(_ endpoint: Endpoint) -> Tokens {
        guard case .fields(let uses) = endpoint.answers else {
            return Tokens(accessToken: Self.token, expiresIn: nil, refreshToken: nil)
        }
        let carried = Carried(fields: uses.map(\.field), optional: [], isFull: isFull)
        return Tokens(
            accessToken: Self.token, expiresIn: carried.value(.seconds(3599), of: .expiresIn),
            refreshToken: carried.value(Self.other, of: .refreshToken))
    }

    private func signedIn(_ endpoint: Endpoint) throws -> SignedIn {
        guard case .fields(let uses) = endpoint.answers, let use = uses.first(where: { $0.field == .user }) else {
            return SignedIn(tokens: tokens(endpoint), user: nil)
        }
        return SignedIn(tokens: tokens(endpoint), user: use.isOptional && !isFull ? nil : try user)
    }

    private var devices: [DeviceSummary] {
        get throws {
            let time = Date(timeIntervalSince1970: 1_767_225_600)
            guard isFull else { return [] }
            return [
                DeviceSummary(
                    id: try DeviceID("d-1"), createdAt: time, lastUsedAt: time.addingTimeInterval(59), isCurrent: true,
                    rememberedUntil: time.addingTimeInterval(86_400), device: device, address: "2001:db8::1",
                    userAgent: "App/1 \"x\""),
                DeviceSummary(id: try DeviceID("d-2"), createdAt: time, lastUsedAt: time, isCurrent: false),
            ]
        }
    }

    private var sessions: [SessionSummary] {
        get throws {
            let time = Date(timeIntervalSince1970: 1_767_225_600)
            guard isFull else { return [] }
            return [
                SessionSummary(
                    id: try SessionID("s-1"), createdAt: time, lastUsedAt: time.addingTimeInterval(59), isCurrent: true,
                    device: device, address: "2001:db8::1", country: "DE",
                    userAgent: "App/1 \"x\""),
                SessionSummary(
                    id: try SessionID("s-2"), createdAt: time, lastUsedAt: time, isCurrent: false, actor: "key:k1"),
                SessionSummary(
                    id: try SessionID("s-3"), createdAt: time, lastUsedAt: time, isCurrent: false,
                    device: DeviceInfo(platform: "iOS")),
            ]
        }
    }
}

/// The fields that a message carries.
private struct Carried {
    var fields: [Field]
    var optional: Set<Field>
    var isFull: Bool

    func has(_ field: Field) -> Bool { fields.contains(field) }

    func value<Value>(_ value: Value, of field: Field) -> Value? {
        has(field) && (isFull || !optional.contains(field)) ? value : nil
    }
}
