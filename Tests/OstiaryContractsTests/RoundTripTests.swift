import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct RoundTripTests {
    @Test func `there is a sixth contract, and it is read from its file`() throws {
        #expect(try Contract.read(Tested.sixthFile()).name == "orchard")
        #expect(Tested.contracts.count == 6)
    }

    @Test(arguments: Tested.contracts, [true, false])
    func `every operation is read as it was written`(contract: Contract, isFull: Bool) throws {
        let codec = try Codec(contract)
        let scenes = try Samples(contract: contract, isFull: isFull).scenes()
        #expect(scenes.count == contract.operations.count)
        for scene in scenes { try expectRoundTrip(scene.call, codec) }
    }

    private func expectRoundTrip<Call: AuthOperation>(_ call: Call, _ codec: Codec) throws {
        let read = try codec.read(codec.write(call))
        let isSame = read as? Call == call
        #expect(isSame, "\(Call.kind) of \(codec.contract.name)")
    }

    @Test(arguments: Tested.contracts, [true, false])
    func `every answer is read as it was written`(contract: Contract, isFull: Bool) throws {
        let codec = try Codec(contract)
        let samples = Samples(contract: contract, isFull: isFull)
        for scene in try samples.scenes() + samples.completedSignIns() {
            guard case .answer(let answer) = scene.outcome else { continue }
            try expectRoundTrip(answer, to: scene.call, codec)
        }
    }

    @Test(arguments: Tested.contracts)
    func `an operation that completes a sign-in answers as the challenge does, with the recovery codes`(
        contract: Contract
    ) throws {
        let codec = try Codec(contract)
        let samples = Samples(contract: contract, isFull: true)
        let answered = try #require(try samples.scenes().first { type(of: $0.call).kind == .answerChallenge })
        for scene in try samples.completedSignIns() {
            guard case .answer(let answer) = scene.outcome, case .answer(let plain) = answered.outcome else { continue }
            let codes = contract.spelling(of: .recoveryCodes)
            let body = try members(of: answer, to: type(of: scene.call).kind, codec)
            #expect(body.first { $0.name == codes }?.value == ["ABCDE-FGHJK"])
            #expect(body.filter { $0.name != codes } == (try members(of: plain, to: .answerChallenge, codec)))
        }
    }

    private func members(
        of answer: some OperationAnswer, to kind: OperationKind, _ codec: Codec
    ) throws -> [JSON.Member] {
        var body = try JSON.read(codec.write(answer, to: kind).body)
        if let envelope = codec.contract.envelope { body = try #require(body[envelope.dataKey]) }
        guard case .object(let members) = body else { return [] }
        return members
    }

    private func expectRoundTrip<Call: AuthOperation>(_ answer: any OperationAnswer, to call: Call, _ codec: Codec)
        throws
    {
        let answer = try #require(answer as? Call.Answer)
        let isSame = try codec.read(codec.write(answer, to: Call.kind), to: Call.self) == answer
        #expect(isSame, "\(Call.kind) of \(codec.contract.name)")
    }

    @Test(arguments: Tested.contracts) func `every refusal is read as it was written`(contract: Contract) throws {
        let codec = try Codec(contract)
        for error in Self.refusals {
            #expect(throws: error) { try codec.read(codec.write(error), to: CurrentUser.self) }
            #expect(throws: error) { try codec.read(codec.write(error), to: SignOut.self) }
        }
    }

    /// Every refusal there is, with the numbers and texts it carries.
    static let refusals: [AuthError] =
        [.proofOfWorkRequired(ProofOfWork(challenge: "AAEC-_-_", bits: 18), retryAfterSeconds: 42)]
        + Field.allCases.flatMap { field in
            [
                FieldProblem.missing, .mistyped, .malformed, .tooShort(minimum: 8), .tooLong(maximum: 72), .tooCommon,
                .compromised,
                .containsIdentifier, .notSupported,
            ].map { AuthError.invalid(field, $0) }
        } + [
            .malformedRequest, .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled,
            .signatureRefused, .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked,
            .codeRefused,
            .resetTokenRefused, .authorizationRefused, .redirectURIRefused, .identityTokenInvalid, .forbidden,
            .missingPermission, .impersonated,
            .confirmationRequired, .registrationTokenRefused, .deviceLinkRequired,
            .notFound,
            .challengeRequired(Challenge(name: "NEW_PASSWORD_REQUIRED", token: Secret("t\"1"))),
            .challengeRequired(
                Challenge(
                    name: Challenge.secondFactor, token: Secret("t"), methods: [.passkey, .totp, .recoveryCode],
                    expiresInSeconds: 300, rememberDeviceDays: 30)),
            .invalidDPoPProof, .useDPoPNonce(nonce: "n-0nce"), .dpopRequired,
            .challengeRefused, .credentialRefused, .factorRequired, .factorLimitReached,
            .attestationRefused, .appAssertionRequired, .appAssertionRefused,
            .stepUpRequired(StepUpRequirement()), .stepUpRequired(StepUpRequirement(maximumAgeSeconds: 300)),
            .stepUpRequired(
                StepUpRequirement(
                    challenge: Challenge(
                        name: Challenge.stepUp, token: Secret("t"), methods: [.password, .totp], expiresInSeconds: 300),
                    level: .aal2, maximumAgeSeconds: 0)),
            .identifierTaken,
            .tooManyAttempts(retryAfterSeconds: 42), .tooManyAttempts(retryAfterSeconds: 0),
            .busy(retryAfterSeconds: 3), .notConfigured, .unavailable(incident: "7f3a-\"b"),
            .unavailable(incident: nil),
            .rejected(status: 400, message: "In words of their own"),
        ]

    @Test(arguments: Tested.contracts, [true, false])
    func `client, contract and service work together without a socket`(contract: Contract, isFull: Bool) async throws {
        let codec = try Codec(contract)
        let scenes = try Samples(contract: contract, isFull: isFull).scenes()
        let service = ScriptedService(script: scenes)
        for scene in scenes {
            guard case .answer(let answer) = scene.outcome else { continue }
            try await expectAnswer(answer, to: scene.call, codec, service)
        }
    }

    private func expectAnswer<Call: AuthOperation>(
        _ answer: any OperationAnswer, to call: Call, _ codec: Codec, _ service: ScriptedService
    ) async throws {
        let response = await codec.serve(try codec.write(call), by: service)
        #expect(response.status == codec.endpoint(for: Call.kind)?.status)
        let isSame = try codec.read(response, to: Call.self) == answer as? Call.Answer
        #expect(isSame, "\(Call.kind) of \(codec.contract.name)")
    }

    @Test func `an operation that the contract lacks cannot be written`() throws {
        let codec = try Codec(.timetracker)
        #expect(throws: ContractProblem.lacks(.refresh)) { try codec.write(Refresh(refreshToken: Secret("r"))) }
        #expect(throws: AuthError.notFound) { try codec.read(WireResponse(status: 200), to: Refresh.self) }
    }
}
