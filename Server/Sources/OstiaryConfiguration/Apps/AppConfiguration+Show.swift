import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AppConfiguration {
    /// - Parameter rules: The contract's rules; without them, values that are left to the contract are omitted.
    func show(rules: AppRules?, in outline: inout Outline) {
        outline.add("name", displayName)
        outline.add("color", color)
        outline.add("language", language.rawValue)
        outline.add("contract", contractReference.description)
        if case .file = contractReference, let json = try? contract.json() {
            outline.note("contract", Secret(String(decoding: json.bytes, as: UTF8.self)))
        }
        outline.add("base_path", basePath.description)
        if !hosts.isEmpty { outline.add("hosts", hosts) }
        if let redirectURIs { outline.add("redirect_uris", redirectURIs) }
        if identities.count == 1 {
            outline.add("identity") { identities[0].show(in: &$0) }
        } else if !identities.isEmpty {
            outline.add("identity", identities) { $0.show(in: &$1) }
        }
        let rules = rules.flatMap { try? tokens.applied(to: $0, app: name.text) }
        outline.add("tokens") { outline in
            outline.add("access", rules?.accessTokenSeconds ?? tokens.access)
            outline.add("refresh", rules.map { $0.refresh?.seconds } ?? tokens.refresh)
            outline.add("refresh_short", rules.map { $0.refresh?.shortSeconds } ?? tokens.refreshShort)
            outline.add("replay_window", replay.window)
            outline.add("signing", signing.algorithm.rawValue)
        }
        show(signing.secret, signing.earlierSecrets, as: "jwt_secret", in: &outline)
        show(signing.refreshSecret, signing.earlierRefreshSecrets, as: "jwt_refresh_secret", in: &outline)
        outline.add("passwords") { outline in
            outline.add("minimum_length", passwords.minimumLength)
            outline.add("bcrypt_cost", bcryptCost)
            outline.add("reset_lifetime", resets.lifetimeSeconds)
            if let compromisedPasswords { outline.add("compromised") { compromisedPasswords.show(in: &$0) } }
        }
        outline.add("codes") { show(codes, in: &$0) }
        outline.add("browser") { outline in
            outline.add("lifetime", browserLifetime)
            outline.add("unfinished_per_network", browserSignIns.perNetwork)
            outline.add("unfinished_per_server", browserSignIns.perServer)
        }
        outline.add("request_signing", requestSigning.rawValue)
        dpop.show(in: &outline)
        if !roles.permissions.isEmpty { outline.add("roles") { roles.show(in: &$0) } }
        if !attributes.isEmpty { outline.add("attributes") { attributes.show(in: &$0) } }
        if hooks.beforeRegistration != nil || hooks.tokenClaims != nil { outline.add("hooks") { hooks.show(in: &$0) } }
        outline.add("second_factor") { secondFactor.show(in: &$0) }
        outline.add("sessions") { sessions.show(in: &$0) }
        outline.add("risk") { risk.show(in: &$0) }
        if let passkeys { outline.add("passkeys") { passkeys.show(in: &$0) } }
        if let appAttest { outline.add("app_attest") { appAttest.show(in: &$0) } }
        if let universalLinks { outline.add("universal_links") { universalLinks.show(in: &$0) } }
        outline.add("registration") { outline in
            outline.add("safe", isRegistrationSafe)
            registrations.show(in: &outline)
        }
        outline.add("rate_limits") { outline in
            for kind in AttemptKind.allCases {
                outline.add(kind.rawValue) { outline in
                    outline.add("address", limits.perAddress[kind]?.text)
                    outline.add("identifier", limits.perIdentifier[kind]?.text)
                }
            }
        }
        outline.add("messages") { messages.show(in: &$0) }
        outline.add("stuffing") { stuffing.show(in: &$0) }
        outline.add("spraying") { spraying.show(in: &$0) }
        outline.add("profile", replay.isStrict ? "strict" : "default")
    }

    private func show(
        _ secret: Secret<String>?, _ earlier: [Secret<String>], as key: String, in outline: inout Outline
    ) {
        if earlier.isEmpty {
            outline.add(key, secret: secret)
        } else {
            outline.add("\(key)s", secrets: [secret].compactMap(\.self) + earlier)
        }
    }

    private func show(_ codes: CodePolicy, in outline: inout Outline) {
        outline.add("digits", codes.digits)
        outline.add("lifetime", codes.lifetimeSeconds)
        outline.add("tries", codes.tries)
        outline.add("resend_after", codes.resendAfterSeconds)
        outline.add("test_numbers") { outline in
            for (number, test) in codes.testNumbers.sorted(by: { $0.key.e164 < $1.key.e164 }) {
                outline.add(number.e164) { outline in
                    outline.add("code", secret: Secret(test.code.reveal()))
                    outline.add("until", CalendarDay.text(of: test.until))
                }
            }
        }
    }
}
