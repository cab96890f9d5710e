#if canImport(UIKit)
import AuthenticationServices
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Passkeys above the keyboard, which iOS and visionOS have.
@MainActor
struct PasskeyAutoFillTests {
    private let authenticator = PasskeyAuthenticator { TestDevice.window }
    private let options = PasskeyAssertionOptions(
        relyingPartyID: "auth.example.com", challenge: Data([1, 2]), userVerification: .required)

    private func person(chooses: Bool) -> ShimAuthorizer {
        let assertion: ShimAuthorizer.Script = { request in
            guard let request = request as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest else {
                return .failure(.init(.failed))
            }
            #expect(request.challenge == Data([1, 2]) && request.userVerificationPreference == .required)
            return .success(
                ASAuthorizationPlatformPublicKeyCredentialAssertion(
                    shimCredentialID: Data([9]), clientData: Data("{}".utf8), authenticatorData: Data([4]),
                    signature: Data([5]), userID: Data([3])))
        }
        return ShimAuthorizer(suggestions: chooses ? assertion : nil, assertion)
    }

    @Test func `signs a challenge with the passkey that is chosen above the keyboard`() async throws {
        let person = person(chooses: true)
        let proof = try await person.on { [authenticator, options] in try await authenticator.assertSuggested(options) }
        #expect(proof.credentialID == Data([9]))
        #expect(person.suggested == 1 && person.suggesting == 0 && person.shown == 0 && person.dropped == 0)
    }

    @Test func `a request in the sheet ends the suggestions first`() async throws {
        let person = person(chooses: false)
        let proof = try await person.on { [authenticator, options] () async throws -> PasskeyAssertion in
            let suggestion = Task { () async -> ClientError? in
                do throws(ClientError) { _ = try await authenticator.assertSuggested(options) } catch { return error }
                return nil
            }
            while person.suggesting == 0 { await Task.yield() }
            let proof = try await authenticator.assert(options)
            #expect(await suggestion.value == .cancelled)
            return proof
        }
        #expect(proof.credentialID == Data([9]) && person.suggesting == 0 && person.shown == 1)
    }

    @Test func `newer suggestions take the place of older ones`() async throws {
        let person = person(chooses: false)
        try await person.on { [authenticator, options] in
            let first = Task { () async -> ClientError? in
                do throws(ClientError) { _ = try await authenticator.assertSuggested(options) } catch { return error }
                return nil
            }
            while person.suggesting == 0 { await Task.yield() }
            let second = Task { () async -> ClientError? in
                do throws(ClientError) { _ = try await authenticator.assertSuggested(options) } catch { return error }
                return nil
            }
            #expect(await first.value == .cancelled)
            while person.suggested < 2 { await Task.yield() }
            second.cancel()
            #expect(await second.value == .cancelled)
        }
        #expect(person.suggesting == 0 && person.dropped == 0)
    }
}
#endif
