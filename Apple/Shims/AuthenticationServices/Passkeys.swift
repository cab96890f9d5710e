// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation

public protocol ASAuthorizationCredential: NSObjectProtocol {}
public protocol ASAuthorizationProvider: NSObjectProtocol {}
open class ASAuthorizationRequest: NSObject {}

public struct ASAuthorizationError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case unknown = 1000, canceled, invalidResponse, notHandled, failed, notInteractive
    }
    public let code: Code
    public init(_ code: Code) { self.code = code }
    public static var errorDomain: String { "com.apple.AuthenticationServices.AuthorizationError" }
    public var errorCode: Int { code.rawValue }
}

public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let required = Self(rawValue: "required"), preferred = Self(rawValue: "preferred"),
        discouraged = Self(rawValue: "discouraged")
}

public final class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject, ASAuthorizationProvider {
    public let relyingPartyIdentifier: String
    public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }
    public func createCredentialRegistrationRequest(challenge: Data, name: String, userID: Data)
        -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
    { .init(challenge: challenge, name: name, userID: userID) }
    public func createCredentialAssertionRequest(challenge: Data)
        -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
    {
        .init(challenge: challenge)
    }
}
public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    public var credentialID: Data
    public init(credentialID: Data) { self.credentialID = credentialID }
}
public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    public var challenge: Data, name: String, userID: Data, displayName: String?
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    init(challenge: Data, name: String, userID: Data) {
        self.challenge = challenge; self.name = name; self.userID = userID
    }
}
public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    public var challenge: Data
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    init(challenge: Data) { self.challenge = challenge }
}
public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject, ASAuthorizationCredential {
    public let credentialID: Data, rawClientDataJSON: Data, rawAttestationObject: Data?
    public init(shimCredentialID: Data, clientData: Data, attestation: Data?) {
        credentialID = shimCredentialID; rawClientDataJSON = clientData; rawAttestationObject = attestation
    }
}
public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject, ASAuthorizationCredential {
    public let credentialID: Data, rawClientDataJSON: Data
    public let rawAuthenticatorData: Data!, signature: Data!, userID: Data!
    public init(shimCredentialID: Data, clientData: Data, authenticatorData: Data, signature: Data, userID: Data) {
        credentialID = shimCredentialID; rawClientDataJSON = clientData; rawAuthenticatorData = authenticatorData
        self.signature = signature; self.userID = userID
    }
}
public final class ASAuthorization: NSObject {
    public let provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential
    public init(shimProvider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        provider = shimProvider; self.credential = credential
    }
}

@MainActor public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}
/// Optional Objective-C requirements become requirements with a default.
@MainActor public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}
extension ASAuthorizationControllerDelegate {
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}
    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}
@MainActor public final class ASAuthorizationController: NSObject {
    public static var shimAuthenticator:
        (ASAuthorizationController) async -> Result<any ASAuthorizationCredential, ASAuthorizationError> = { _ in
            .failure(.init(.canceled))
        }
    public let authorizationRequests: [ASAuthorizationRequest]
    public weak var delegate: (any ASAuthorizationControllerDelegate)?
    public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    public init(authorizationRequests: [ASAuthorizationRequest]) { self.authorizationRequests = authorizationRequests }
    public func performRequests() {
        Task { [self] in
            _ = presentationContextProvider?.presentationAnchor(for: self)
            switch await Self.shimAuthenticator(self) {
            case .success(let credential):
                let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "shim")
                delegate?.authorizationController(
                    controller: self,
                    didCompleteWithAuthorization: ASAuthorization(shimProvider: provider, credential: credential))
            case .failure(let error): delegate?.authorizationController(controller: self, didCompleteWithError: error)
            }
        }
    }
}
