/// The redirect URIs that the operator registers at external identity providers. That they are registered cannot be seen from
/// here.
package struct CallbackCheck: DoctorCheck {
    package static let name = "callbacks"

    /// At least one.
    let callbacks: [CallbackFacts]

    package init(callbacks: [CallbackFacts]) { self.callbacks = callbacks }

    package func findings() -> [DoctorFinding] {
        callbacks.map { ok("The redirect URI to register at \($0.provider) is \($0.url)", subject: $0.app) }
    }
}
