// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
// AuthenticationServices' side of SwiftUI: in Apple's SDK visible to a file that imports both.
public import AuthenticationServices

public struct SignInWithAppleButton: ShimPrimitive {
    public struct Label: Sendable {
        let text: String
        public static let signIn = Label(text: "Sign in with Apple"), signUp = Label(text: "Sign up with Apple"),
            `continue` = Label(text: "Continue with Apple")
    }
    public struct Style: Sendable {
        let name: String
        public static let black = Style(name: "black"), white = Style(name: "white"),
            whiteOutline = Style(name: "whiteOutline")
    }
    let label: Label
    // Set once. Only `press` and ShimAppleSheet call them, both isolated to the main actor: no two threads reach either
    // at once.
    nonisolated(unsafe) let onRequest: (ASAuthorizationAppleIDRequest) -> Void
    nonisolated(unsafe) let onCompletion: (Result<ASAuthorization, any Error>) -> Void

    public nonisolated init(
        _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        self.label = label; self.onRequest = onRequest; self.onCompletion = onCompletion
    }
    public func nodes(_ c: ShimContext) -> [ShimNode] {
        let node = ShimNode("Button", label.text, enabled: c.env.isEnabled)
        // Drawn by the system, in the system's language.
        node.attributes["system"] = "true"
        node.press = {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            onRequest(request)
            ShimAppleSheet(onCompletion).open(request)
        }
        return [node]
    }
}

/// The system's sheet, which retains itself until it has completed.
@MainActor
private final class ShimAppleSheet: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private let onCompletion: (Result<ASAuthorization, any Error>) -> Void
    private var controller: ASAuthorizationController?
    private var own: ShimAppleSheet?

    init(_ onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void) { self.onCompletion = onCompletion }

    func open(_ request: ASAuthorizationRequest) {
        own = self
        controller = ASAuthorizationController(authorizationRequests: [request])
        controller?.delegate = self
        controller?.presentationContextProvider = self
        controller?.performRequests()
    }
    private func end(_ result: Result<ASAuthorization, any Error>) {
        onCompletion(result)
        (controller, own) = (nil, nil)
    }
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) { end(.success(authorization)) }
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        end(.failure(error))
    }
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}

extension View {
    public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View {
        look("background", style.name == "black" ? "black" : "white").look(
            "colour", style.name == "black" ? "white" : "black"
        ).look("style", "plain")
    }
    /// A view with another id is another view, with state of its own.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        ShimModified(content: self, down: { $0.path += "#\(id)" })
    }
}
