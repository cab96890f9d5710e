import AuthenticationServices
import OstiaryContracts
import Testing

@testable import OstiaryClient

@MainActor
struct PasskeyAuthenticatorTests {
    private let authenticator = PasskeyAuthenticator { TestDevice.window }
    private let id = Data([0xFB, 0xFF, 0x01])

    private func registration(_ attestation: Data? = Data([7])) -> ShimAuthorizer {
        ShimAuthorizer { [id] request in
            guard let request = request as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest,
                let provider = request.provider as? ASAuthorizationPlatformPublicKeyCredentialProvider
            else { return .failure(.init(.failed)) }
            #expect(provider.relyingPartyIdentifier == "auth.example.com")
            #expect(request.challenge == Data([1, 2]) && request.userID == Data([3]) && request.name == "jo")
            #expect(request.displayName == "Jo" && request.userVerificationPreference == .required)
            #expect(request.excludedCredentials?.map(\.credentialID) == [Data([9])])
            return .success(
                ASAuthorizationPlatformPublicKeyCredentialRegistration(
                    shimCredentialID: id, clientData: Data("{}".utf8), attestation: attestation))
        }
    }

    private let registrationOptions = PasskeyRegistrationOptions(
        relyingPartyID: "auth.example.com", challenge: Data([1, 2]), userID: Data([3]), userName: "jo",
        displayName: "Jo", userVerification: .required, excludedCredentials: [Data([9])])
    private let assertionOptions = PasskeyAssertionOptions(
        relyingPartyID: "auth.example.com", challenge: Data([1, 2]), allowedCredentials: [Data([0xFB, 0xFF, 0x01])],
        userVerification: .discouraged)

    @Test func `makes a passkey as the server asked, in the form that servers take`() async throws {
        let person = registration()
        let passkey = try await person.on { [authenticator, registrationOptions] in
            try await authenticator.register(registrationOptions)
        }
        let form = try JSON.read(Array(passkey.json))
        #expect(form["id"] == "-_8B" && form["rawId"] == "-_8B" && form["type"] == "public-key")
        #expect(form["response"]?["clientDataJSON"] == "e30" && form["response"]?["attestationObject"] == "Bw")
        #expect(form["authenticatorAttachment"] == "platform" && form["clientExtensionResults"] == [:])
        #expect(person.dropped == 0)
    }

    @Test func `a passkey without its public key is none`() async throws {
        await #expect(throws: ClientError.invalidResponse) {
            try await registration(nil).on { [authenticator, registrationOptions] in
                try await authenticator.register(registrationOptions)
            }
        }
    }

    private func assertion(signature: Data? = Data([5]), userID: Data? = Data([3])) -> ShimAuthorizer {
        ShimAuthorizer { [id] request in
            guard let request = request as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest else {
                return .failure(.init(.failed))
            }
            #expect(request.challenge == Data([1, 2]) && request.userVerificationPreference == .discouraged)
            #expect(request.allowedCredentials.map(\.credentialID) == [id])
            return .success(
                ASAuthorizationPlatformPublicKeyCredentialAssertion(
                    shimCredentialID: id, clientData: Data("{}".utf8), authenticatorData: Data([4]),
                    signature: signature, userID: userID))
        }
    }

    @Test func `signs a challenge with a passkey`() async throws {
        let proof = try await assertion().on { [authenticator, assertionOptions] in
            try await authenticator.assert(assertionOptions)
        }
        let form = try JSON.read(Array(proof.json))
        #expect(form["id"] == "-_8B" && form["response"]?["authenticatorData"] == "BA")
        #expect(form["response"]?["signature"] == "BQ" && form["response"]?["userHandle"] == "Aw")
        #expect(form["response"]?["clientDataJSON"] == "e30")
    }

    @Test func `says nothing of a user handle that there is not`() async throws {
        let proof = try await assertion(userID: nil).on { [authenticator, assertionOptions] in
            try await authenticator.assert(assertionOptions)
        }
        #expect(try JSON.read(Array(proof.json))["response"]?["userHandle"] == nil)
    }

    @Test func `a proof without a signature is none`() async throws {
        await #expect(throws: ClientError.invalidResponse) {
            try await assertion(signature: nil).on { [authenticator, assertionOptions] in
                try await authenticator.assert(assertionOptions)
            }
        }
    }

    @Test func `the answer to another question is none`() async throws {
        let apple = ShimAuthorizer { _ in
            .success(ASAuthorizationAppleIDCredential(shimUser: "u", state: nil, identityToken: nil))
        }
        await #expect(throws: ClientError.invalidResponse) {
            try await apple.on { [authenticator, assertionOptions] in try await authenticator.assert(assertionOptions) }
        }
    }

    @Test func `tells a person who gave up from a device that has a passkey already`() async throws {
        await #expect(throws: ClientError.cancelledByUser) {
            try await ShimAuthorizer.failing(.canceled).on { [authenticator, registrationOptions] in
                try await authenticator.register(registrationOptions)
            }
        }
        await #expect(throws: ClientError.passkeyExists) {
            try await ShimAuthorizer.failing(.matchedExcludedCredential).on { [authenticator, registrationOptions] in
                try await authenticator.register(registrationOptions)
            }
        }
    }
}
