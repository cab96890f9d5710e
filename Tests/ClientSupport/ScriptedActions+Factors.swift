import Foundation
package import OstiaryClient
package import OstiaryCore
import OstiaryUI

extension ScriptedActions {
    package var stepUpHandler: (any StepUpHandler)? { nil }

    package func factors() async throws(ClientError) -> FactorList {
        try await note("factors")
        return factorList
    }
    package func addTOTP() async throws(ClientError) -> PendingTOTP {
        try await note("addTOTP")
        return PendingTOTP(
            factorID: try factorID("pending"), secret: Secret("JBSWY3DPEHPK3PXP"),
            uri: Secret("otpauth://totp/App:ada?secret=JBSWY3DPEHPK3PXP"))
    }
    package func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String?
    ) async throws(ClientError) -> [Secret<String>]? {
        try await note("confirmTOTP", pending.factorID.text, code, name ?? "-")
        return newRecoveryCodes
    }
    package func addPasskey(
        name: String?, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> AddedFactor {
        try await note("addPasskey", name ?? "-")
        let factor = EnrolledFactor(
            id: try factorID("passkey"), type: .passkey, name: "Passkey", createdAt: Date(timeIntervalSince1970: 0))
        return AddedFactor(factor: factor, recoveryCodes: newRecoveryCodes)
    }
    package func addTOTP(for challenge: Challenge) async throws(ClientError) -> PendingTOTP {
        try await note("addTOTPFor", challenge.name)
        return PendingTOTP(
            factorID: try factorID("pending"), secret: Secret("JBSWY3DPEHPK3PXP"),
            uri: Secret("otpauth://totp/App:ada?secret=JBSWY3DPEHPK3PXP"))
    }
    package func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String?, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession {
        try await note("confirmTOTPFor", pending.factorID.text, code, name ?? "-")
        return EnrolledSession(session: signedIn(), recoveryCodes: newRecoveryCodes)
    }
    package func addPasskey(
        name: String?, from provider: any PasskeyCredentialProvider, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession {
        try await note("addPasskeyFor", name ?? "-")
        return EnrolledSession(session: signedIn(), recoveryCodes: newRecoveryCodes)
    }
    package func renameFactor(_ id: FactorID, to name: String) async throws(ClientError) -> EnrolledFactor {
        try await note("renameFactor", id.text, name)
        return EnrolledFactor(id: id, type: .totp, name: name, createdAt: Date(timeIntervalSince1970: 0))
    }
    package func removeFactor(_ id: FactorID) async throws(ClientError) { try await note("removeFactor", id.text) }
    package func replaceRecoveryCodes() async throws(ClientError) -> [Secret<String>] {
        try await note("replaceRecoveryCodes")
        return newRecoveryCodes ?? []
    }
    package func answerStepUp(
        _ challenge: Challenge, with answers: [ChallengeMethod: String]
    ) async throws(ClientError) {
        try await note("answerStepUp", answers.map { "\($0.rawValue)=\($1)" }.sorted().joined(separator: "&"))
    }
    package func answerStepUp(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError) {
        try await note("answerStepUpWithPasskey")
    }

    private func factorID(_ text: String) throws(ClientError) -> FactorID {
        do { return try FactorID(text) } catch { throw .invalidResponse }
    }
}
