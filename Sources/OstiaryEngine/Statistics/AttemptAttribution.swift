import OstiaryCore

/// The properties of an operation that the statistics count, besides its name and its outcome.
struct AttemptAttribution: Hashable, Sendable {
    /// The method by which the sign-in begins; `nil` for an operation that is no sign-in.
    var method: String?
    /// The second factor that was presented; `nil` for none.
    var factor: String?
    /// `true` if the operation created the account.
    var isNewAccount = false
    /// The risk of the sign-in; `nil` where it was not assessed.
    var risk: RiskAssessment?
}

extension AuthenticationMethod {
    /// The name of the method as a factor.
    var factorName: String { self == .verifiedPasskey ? AuthenticationMethod.passkey.rawValue : rawValue }
}

extension AuthEngine {
    /// Runs a part of an operation whose attribution is known before its outcome. Other errors than refusals pass
    /// unchanged.
    func attributing<Value>(
        to attribution: AttemptAttribution, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch var refused as Refused {
            refused.attribution = refused.attribution ?? attribution
            throw refused
        } catch let refusal as AuthError {
            throw Refused(refusal, attribution: attribution)
        }
    }

    /// Returns the method of a browser sign-in: the name of the provider, or of the one that it offers.
    func method(of flow: BrowserFlow) -> String {
        guard let connection = flow.connection,
            let provider = ports.identities.provider(named: flow.provider)
        else { return flow.provider }
        let services = provider.description.connections.filter { $0.value == connection }.keys
        return services.min() ?? flow.provider
    }

    func attribution(of flow: BrowserFlow) -> AttemptAttribution { AttemptAttribution(method: method(of: flow)) }

    /// The method of a browser sign-in whose state names no provider.
    var unknownProviderMethod: String {
        let providers = ports.identities.providers
        return providers.count == 1 ? providers[0].description.name : SignInMethod.unknown
    }
}
