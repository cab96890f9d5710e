public import AuthenticationServices

extension EnvironmentValues {
    public var webAuthenticationSession: WebAuthenticationSession { WebAuthenticationSession(shim: ()) }
}
