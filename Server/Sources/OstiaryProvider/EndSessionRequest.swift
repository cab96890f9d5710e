/// A client's logout request, validated. Source: OpenID Connect RP-Initiated Logout §2.
package struct EndSessionRequest: Hashable, Sendable {
    /// The requesting client; nil if the request names none.
    package let client: ProviderClient?
    /// The URI that the browser is redirected to after the sign-out, with the client's state; nil for none.
    package let destination: String?
    /// The request as a query again, for the confirmation form.
    package let query: String
}
