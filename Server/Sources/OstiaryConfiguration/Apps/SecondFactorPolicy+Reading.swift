import OstiaryCore
import OstiaryEngine

extension SecondFactorPolicy {
    /// The methods that the configuration can name: those of an app without the key, and codes by email, which prove no
    /// possession.
    private static let known = SecondFactorPolicy().methods + [.emailCode]
    /// The methods that people add to their account.
    private static let enrolled: Set<ChallengeMethod> = [.passkey, .totp]

    /// - Parameter issuer: The name of the app that an authenticator shows.
    init(_ section: Section, issuer: String) throws(ConfigurationProblem) {
        self.init(issuer: issuer)
        requirement = try section.choice("policy") ?? requirement
        if let roles = try section.list("required_for") {
            guard requirement == .optional else {
                throw section.problem("required_for", "needs policy optional")
            }
            for role in roles { requiredRoles.insert(try role.string()) }
        }
        asksAfterFederatedSignIn = try section.boolean("after_social") ?? asksAfterFederatedSignIn
        rememberDeviceDays = try section.integer("remember_device_days", in: 0...365) ?? rememberDeviceDays
        if let settings = try section.list("methods") {
            methods = []
            for setting in settings {
                let method = ChallengeMethod(rawValue: try setting.string())
                guard Self.known.contains(method), !methods.contains(method) else {
                    let names = Self.known.map(\.rawValue).joined(separator: ", ")
                    throw setting.problem("needs one of \(names), each once")
                }
                methods.append(method)
            }
            guard !Self.enrolled.isDisjoint(with: methods) else {
                throw section.problem("methods", "needs at least one of passkey, totp")
            }
        }
        try section.finish()
    }

    func show(in outline: inout Outline) {
        outline.add("policy", requirement.rawValue)
        outline.add("required_for", requiredRoles.sorted())
        outline.add("methods", methods.map(\.rawValue))
        outline.add("after_social", asksAfterFederatedSignIn)
        outline.add("remember_device_days", rememberDeviceDays)
    }
}
