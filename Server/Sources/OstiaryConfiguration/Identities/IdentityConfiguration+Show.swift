extension IdentityConfiguration {
    func show(in outline: inout Outline) {
        outline.add("kind", kind.rawValue)
        outline.add("name", name)
        outline.add("title", title)
        switch source {
        case .local, .builtIn: break
        case .oidc(let provider): provider?.show(in: &outline)
        case .auth0(let provider): provider?.show(in: &outline)
        case .google(let client):
            outline.add("client_id", client.clientID)
            outline.add("client_secret", secret: client.clientSecret)
            outline.add("native_client_ids", client.nativeClientIDs)
            outline.add("issuer", client.issuer)
        case .apple(let client): client.show(in: &outline)
        case .github(let client):
            outline.add("client_id", client.clientID)
            outline.add("client_secret", secret: client.clientSecret)
            outline.add("endpoint", client.endpoint)
        case .cognito(let pool): pool.show(in: &outline)
        }
    }
}

extension IdentityConfiguration.OIDC {
    fileprivate func show(in outline: inout Outline) {
        outline.add("issuer", issuer)
        outline.add("client_id", clientID)
        outline.add("client_secret", secret: clientSecret)
        outline.add("scopes", scopes)
        if !endpointHosts.isEmpty { outline.add("endpoint_hosts", endpointHosts) }
        outline.add("client_authentication", clientAuthentication?.rawValue)
        outline.add("ca_file", path: caFile)
    }
}

extension IdentityConfiguration.Auth0 {
    fileprivate func show(in outline: inout Outline) {
        outline.add("domain", domain)
        outline.add("client_id", clientID)
        outline.add("client_secret", secret: clientSecret)
        outline.add("audience", audience)
    }
}

extension IdentityConfiguration.Apple {
    fileprivate func show(in outline: inout Outline) {
        outline.add("client_id", clientID)
        outline.add("team_id", teamID)
        outline.add("key_id", keyID)
        if let privateKeyFile {
            outline.add("private_key_file", privateKeyFile)
            outline.note("private_key_file", privateKey)
        } else {
            outline.add("private_key", secret: privateKey)
        }
        outline.add("native_client_ids", nativeClientIDs)
        outline.add("issuer", issuer)
    }
}

extension IdentityConfiguration.Cognito {
    fileprivate func show(in outline: inout Outline) {
        outline.add("region", region)
        outline.add("user_pool_id", userPoolID)
        outline.add("client_id", clientID)
        outline.add("client_secret", secret: clientSecret)
        if clientSecret == nil { outline.add("public", true) }
        outline.add("migrate", migrates)
        outline.add("endpoint", endpoint)
    }
}
