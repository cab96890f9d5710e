// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation

public protocol ASAuthorizationCredential: NSObjectProtocol {}
public protocol ASAuthorizationProvider: NSObjectProtocol {}
open class ASAuthorizationRequest: NSObject {
    public let provider: any ASAuthorizationProvider
    init(provider: any ASAuthorizationProvider) { self.provider = provider }
}

public struct ASAuthorizationError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case unknown = 1000, canceled, invalidResponse, notHandled, failed, notInteractive
        case matchedExcludedCredential = 1006
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
    { .init(provider: self, challenge: challenge, name: name, userID: userID) }
    public func createCredentialAssertionRequest(challenge: Data)
        -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
    {
        .init(provider: self, challenge: challenge)
    }
}
public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    public var credentialID: Data
    public init(credentialID: Data) { self.credentialID = credentialID }
}
public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    public var challenge: Data, name: String, userID: Data, displayName: String?
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? = []
    init(provider: any ASAuthorizationProvider, challenge: Data, name: String, userID: Data) {
        self.challenge = challenge; self.name = name; self.userID = userID
        super.init(provider: provider)
    }
}
public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    public var challenge: Data
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    init(provider: any ASAuthorizationProvider, challenge: Data) {
        self.challenge = challenge
        super.init(provider: provider)
    }
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
    public init(shimCredentialID: Data, clientData: Data, authenticatorData: Data?, signature: Data?, userID: Data?) {
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
/// The system's sheets and the person who uses them, simulated by one test. Sendable: all mutable state is under its
/// lock.
public final class ShimAuthorizer: @unchecked Sendable {
    @TaskLocal public static var current: ShimAuthorizer?

    public typealias Script =
        @MainActor @Sendable (ASAuthorizationRequest) async -> Result<
            any ASAuthorizationCredential, ASAuthorizationError
        >

    let script: Script
    /// The person at the suggestions above the keyboard: `nil` while nothing is chosen, which lasts until the request ends.
    let suggestions: Script?
    private let lock = NSLock()
    private var state = (shown: 0, isOpen: false, dropped: 0, cancelled: 0, suggested: 0, suggesting: 0)

    public init(suggestions: Script? = nil, _ script: @escaping Script) {
        self.script = script
        self.suggestions = suggestions
    }

    public var shown: Int { lock.withLock { state.shown } }
    /// The number of controllers that the app released, or whose delegate it released, while the sheet was open.
    public var dropped: Int { lock.withLock { state.dropped } }
    public var cancelled: Int { lock.withLock { state.cancelled } }
    public var isOpen: Bool { lock.withLock { state.isOpen } }
    /// The number of requests whose credentials were suggested above the keyboard, and of those under way.
    public var suggested: Int { lock.withLock { state.suggested } }
    public var suggesting: Int { lock.withLock { state.suggesting } }

    func beginSuggesting() {
        lock.withLock {
            state.suggested += 1
            state.suggesting += 1
        }
    }
    func endSuggesting() { lock.withLock { state.suggesting -= 1 } }

    /// Stricter than Apple's words: no sheet appears while credentials are suggested.
    func open() -> Bool {
        lock.withLock {
            guard !state.isOpen, state.suggesting == 0 else { return false }
            state.isOpen = true
            state.shown += 1
            return true
        }
    }
    func close() { lock.withLock { state.isOpen = false } }
    func noteDropped() { lock.withLock { state.dropped += 1 } }
    func noteCancelled() { lock.withLock { state.cancelled += 1 } }
}

@MainActor public final class ASAuthorizationController: NSObject {
    public let authorizationRequests: [ASAuthorizationRequest]
    public weak var delegate: (any ASAuthorizationControllerDelegate)?
    public weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?
    private nonisolated let authorizer = ShimAuthorizer.current ?? ShimAuthorizer { _ in .failure(.init(.canceled)) }
    private nonisolated let lock = NSLock()
    // Read and written under `lock` alone: 0 new, 1 open, 2 done.
    private nonisolated(unsafe) var state = 0

    public init(authorizationRequests: [ASAuthorizationRequest]) { self.authorizationRequests = authorizationRequests }

    #if canImport(UIKit)
    // Written once, under `lock` with the change to open; read only after `end()`, which takes `lock` and follows it.
    private nonisolated(unsafe) var isAssisted = false

    public func performAutoFillAssistedRequests() {
        precondition(lock.withLock { state == 0 }, "the real controller raises when it is used twice")
        guard authorizationRequests.count == 1,
            let request = authorizationRequests.first as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest,
            presentationContextProvider != nil
        else { return fail(.init(.notHandled)) }
        authorizer.beginSuggesting()
        lock.withLock { (state, isAssisted) = (1, true) }
        guard let suggestions = authorizer.suggestions else { return }
        Task { [weak self] in
            let result = await suggestions(request)
            guard let self, end() else { return }
            authorizer.endSuggesting()
            complete(result, request)
        }
    }
    #else
    private nonisolated var isAssisted: Bool { false }
    #endif

    public func performRequests() {
        precondition(lock.withLock { state == 0 }, "the real controller raises when it is used twice")
        guard let request = authorizationRequests.first, let provider = presentationContextProvider else {
            return fail(.init(.unknown))
        }
        _ = provider.presentationAnchor(for: self)
        guard authorizer.open() else { return fail(.init(.failed)) }
        lock.withLock { state = 1 }
        let authorizer = authorizer
        // Only the app retains a controller.
        Task { [weak self] in
            let result = await authorizer.script(request)
            guard let self, end() else { return }
            authorizer.close()
            if delegate == nil { authorizer.noteDropped() }
            complete(result, request)
        }
    }

    private func complete(
        _ result: Result<any ASAuthorizationCredential, ASAuthorizationError>, _ request: ASAuthorizationRequest
    ) {
        switch result {
        case .success(let credential):
            delegate?.authorizationController(
                controller: self,
                didCompleteWithAuthorization: ASAuthorization(shimProvider: request.provider, credential: credential))
        case .failure(let error): fail(error)
        }
    }

    public func cancel() {
        guard end() else { return }
        if isAssisted {
            authorizer.endSuggesting()
        } else {
            authorizer.noteCancelled()
            authorizer.close()
        }
        Task { fail(.init(.canceled)) }
    }

    private nonisolated func end() -> Bool {
        lock.withLock {
            guard state == 1 else { return false }
            state = 2
            return true
        }
    }

    private func fail(_ error: ASAuthorizationError) {
        delegate?.authorizationController(controller: self, didCompleteWithError: error)
    }

    deinit {
        guard end() else { return }
        if isAssisted { authorizer.endSuggesting() } else { authorizer.close() }
        authorizer.noteDropped()
    }
}
