import OstiaryContracts
import OstiaryCore
import Testing

/// The computation that a refusal asks for, on the wire.
@Suite struct ProofOfWorkTests {
    private let refusal = AuthError.proofOfWorkRequired(
        ProofOfWork(challenge: "AAEC-_-_", bits: 18), retryAfterSeconds: 93)

    @Test(arguments: Contract.presets)
    func `is the same member in every contract`(contract: Contract) throws {
        let codec = try Codec(contract)
        let response = codec.write(refusal, to: .signIn)
        #expect(response.status == 429 && response.headers["retry-after"] == "93")
        let body = try JSON.read(response.body)
        #expect(body["code"] == "proof_of_work_required" && body["retry_after"] == 93)
        #expect(body["proof_of_work"] == ["challenge": "AAEC-_-_", "bits": 18])
        guard codec.endpoint(for: .signIn) != nil else { return }
        #expect(throws: refusal) { try codec.read(response, to: SignIn.self) }
    }

    @Test(arguments: [
        "{}", #"{"proof_of_work": {}}"#, #"{"proof_of_work": {"challenge": "AAAA"}}"#,
        #"{"proof_of_work": {"challenge": 1, "bits": 1}}"#, #"{"proof_of_work": {"challenge": "AAAA", "bits": -1}}"#,
        #"{"proof_of_work": {"challenge": "é", "bits": 1}}"#,
    ])
    func `without a computation is a wait`(members: String) throws {
        let codec = try Codec(.vici)
        var response = codec.write(refusal, to: .signIn)
        let begun = #"{"success": false, "error": "x", "code": "proof_of_work_required""#
        let rest = members.dropFirst()
        response.body = Array((rest == "}" ? "\(begun)}" : "\(begun), \(rest)").utf8)
        #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 93)) {
            try codec.read(response, to: SignIn.self)
        }
    }

    @Test func `reads the header that a solution writes`() throws {
        for counter in [0, 1, 4_711, UInt64.max] {
            let solution = ProofOfWorkSolution(challenge: "AAEC-_-_", counter: counter)
            #expect(ProofOfWorkHeader.read(solution.text) == solution)
        }
    }

    @Test(arguments: [
        "", ":", "AAEC", "AAEC:", ":1", "AAEC:01", "AAEC:+1", "AAEC:-1", "AAEC: 1", "AAEC:1 ", "AA EC:1", "AAEC:1:1",
        "AAEC:18446744073709551616", "AAEC:0x1", "é:1", String(repeating: "A", count: 300) + ":1",
    ])
    func `reads no other header`(value: String) { #expect(ProofOfWorkHeader.read(value) == nil) }

    @Test func `counts the zero bits of a hash`() {
        #expect(ProofOfWork.leadingZeroBits(of: []) == 0)
        #expect(ProofOfWork.leadingZeroBits(of: [0x80]) == 0)
        #expect(ProofOfWork.leadingZeroBits(of: [0, 0x1F]) == 11)
        #expect(ProofOfWork.leadingZeroBits(of: [0, 0]) == 16)
    }
}
