/// The names of the methods by which a sign-in begins, besides those of identity providers.
enum SignInMethod {
    static let password = "password"
    static let passkey = "passkey"
    /// The link of a mail, for an account whose passkeys are lost.
    static let recovery = "recovery"
    /// Nothing that was presented names the method.
    static let unknown = "unknown"
}
