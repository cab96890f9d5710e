extension ProviderConfiguration {
    func show(in outline: inout Outline) {
        outline.add("name", name)
        outline.add("color", color)
        outline.add("language", language.rawValue)
        outline.add("registration", registration.rawValue)
        outline.add("dpop", bindsTokens ? "accepted" : "off")
        outline.add("second_factor") { secondFactor.show(in: &$0) }
        outline.add("risk") { risk.show(in: &$0) }
        if let passkeys { outline.add("passkeys") { passkeys.show(in: &$0) } }
        outline.add("clients") { outline in
            for client in clients {
                outline.add(client.id) { client.show(in: &$0) }
            }
        }
    }
}

extension ProviderConfiguration.Client {
    fileprivate func show(in outline: inout Outline) {
        outline.add("name", name)
        outline.add("secret", secret: secret)
        if secret == nil { outline.add("public", true) }
        outline.add("redirect_uris", redirectURIs)
        outline.add("post_logout_redirect_uris", postLogoutRedirectURIs)
        outline.add("first_party", isFirstParty)
        if secret != nil { outline.add("rate_limit", rateLimit.text) }
        outline.add("leads_to", leadsTo)
    }
}
