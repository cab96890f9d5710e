import OstiaryCore

/// A challenge as its page carries it from form to form. Nothing in it is trusted: the engine judges the token, and the
/// rest decides only what the page shows.
struct PendingChallenge {
    let token: Secret<String>
    /// The methods that answer it, in the order in which to offer them.
    let methods: [ChallengeMethod]
    /// The method that the page asks for.
    var method: ChallengeMethod
    /// `true` to confirm the person who is signed in.
    let isStepUp: Bool
    /// `true` if the browser can be remembered after the answer.
    let canRemember: Bool
    /// The page of the account that the person wants to reach; nil for the client that asked.
    let next: AccountLocation?

    /// The methods that a page can show.
    private static let known: [ChallengeMethod] = [.password, .passkey, .totp, .smsCode, .emailCode, .recoveryCode]

    init?(_ challenge: Challenge, isStepUp: Bool, next: AccountLocation? = nil) {
        let methods = challenge.methods.filter(Self.known.contains)
        guard let first = methods.first else { return nil }
        token = challenge.token
        self.methods = methods
        method = first
        self.isStepUp = isStepUp
        canRemember = challenge.rememberDeviceDays != nil
        self.next = next
    }

    /// - Returns: Nil for a form that no page of a challenge has.
    init?(_ form: [String: String]) {
        guard let token = form["challenge_token"] else { return nil }
        let names = (form["methods"] ?? "").utf8.prefix(200).split(separator: UInt8(ascii: " "))
        let methods = Self.known.filter { method in
            names.contains { $0.elementsEqual(method.rawValue.utf8) }
        }
        let chosen = form["method"] ?? ""
        guard let method = methods.first(where: { $0.rawValue.utf8.elementsEqual(chosen.utf8) }) else { return nil }
        self.token = Secret(token)
        // In the order of the page, which is that of the policy.
        self.methods = names.compactMap { name in methods.first { $0.rawValue.utf8.elementsEqual(name) } }
        self.method = method
        isStepUp = form["step"] != nil
        canRemember = form["remembering"] != nil
        next = form["next"].flatMap(AccountLocation.init)
    }

    /// The hidden fields of the page's forms.
    var hidden: [[String]] {
        var fields = [
            ["challenge_token", token.reveal()], ["methods", methods.map(\.rawValue).joined(separator: " ")],
            ["method", method.rawValue],
        ]
        if isStepUp { fields.append(["step", "up"]) }
        if canRemember { fields.append(["remembering", "offered"]) }
        if let next { fields.append(["next", next.text]) }
        return fields
    }
}

/// A page of the account that is reached after a step-up: one of this list, never a URL of the browser's choice.
struct AccountLocation: Hashable, Sendable {
    let page: ProviderServer.PagePath
    /// The factor that the page is about.
    let factor: FactorID?

    /// The pages whose forms change something that requires a step-up.
    private static let pages: [ProviderServer.PagePath] = [
        .password, .authenticator, .newPasskey, .factor, .recoveryCodes,
    ]

    init(_ page: ProviderServer.PagePath, factor: FactorID? = nil) {
        self.page = page
        self.factor = factor
    }

    /// - Parameter text: The ``text`` of a location.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let page = Self.pages.first(where: { $0.rawValue.utf8.elementsEqual(parts[0]) }) else { return nil }
        self.page = page
        guard parts.count == 2 else {
            factor = nil
            return
        }
        guard let factor = try? FactorID(String(Substring(parts[1]))) else { return nil }
        self.factor = factor
    }

    /// The path below the provider's base, with the factor's id after a question mark.
    var text: String { page.rawValue + (factor.map { "?\($0.text)" } ?? "") }

    /// The URL of the page.
    var url: String { page.path + (factor.map { "?\(URLQuery.encode([("id", $0.text)]))" } ?? "") }
}
