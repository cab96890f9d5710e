import OstiaryCore
package import OstiaryEngine

/// The configuration of one hook of an app.
package struct HookConfiguration: Sendable {
    package var url: String
    package var secret: WebhookSecret
    package var onFailure: Hook.FailurePolicy

    /// - Returns: Nil where the section is left out.
    static func read(_ section: Section, urls: EventURLPolicy) throws(ConfigurationProblem) -> HookConfiguration? {
        guard section.isPresent else { return nil }
        let address = try section.required("url", "a URL that begins with https://")
        let url = try address.string()
        do { try urls.check(url) } catch {
            throw address.problem("needs a URL that begins with https:// and is not on a private network")
        }
        let setting = try section.required("secret", "whsec_ and 24 to 64 random bytes in base64")
        guard let secret = WebhookSecret(try setting.secret()) else {
            throw setting.problem("needs whsec_ and 24 to 64 random bytes in base64")
        }
        let policy: Hook.FailurePolicy = try section.choice("on_failure") ?? .deny
        try section.finish()
        return HookConfiguration(url: url, secret: secret, onFailure: policy)
    }

    func show(in outline: inout Outline) {
        outline.add("url", url: Secret(url), keepingPath: false)
        outline.add("secret", secret: secret.text)
        outline.add("on_failure", onFailure.rawValue)
    }
}

/// The hooks of an app.
package struct HooksConfiguration: Sendable {
    package var beforeRegistration: HookConfiguration?
    package var tokenClaims: HookConfiguration?

    init(_ section: Section, urls: EventURLPolicy) throws(ConfigurationProblem) {
        beforeRegistration = try HookConfiguration.read(section.section("before_registration"), urls: urls)
        tokenClaims = try HookConfiguration.read(section.section("token_claims"), urls: urls)
        try section.finish()
    }

    func show(in outline: inout Outline) {
        if let beforeRegistration { outline.add("before_registration") { beforeRegistration.show(in: &$0) } }
        if let tokenClaims { outline.add("token_claims") { tokenClaims.show(in: &$0) } }
    }
}
