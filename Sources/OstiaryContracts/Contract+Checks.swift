import OstiaryCore

extension Contract {
    /// Validates the contract.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` with the place of the contradiction if the contract contradicts
    ///   itself.
    func check() throws(ContractProblem) {
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_")
        guard !name.isEmpty, name.allSatisfy(letters.contains) else {
            throw .invalid("name: lower-case letters, digits, - and _ only")
        }
        guard prefix.isEmpty || prefix.hasPrefix("/"), !prefix.hasSuffix("/"), Self.isPlainPath(prefix) else {
            throw .invalid("prefix: begins with /, does not end with one, and needs no escapes")
        }
        try checkRules()
        try checkBodies()
        for kind in without where endpoints[kind] != nil {
            throw .invalid("without: \(kind.rawValue) is also in endpoints")
        }
        for (kind, endpoint) in operations { try check(endpoint, of: kind) }
        try checkRoutes()
    }

    private func checkRules() throws(ContractProblem) {
        guard rules.accessTokenSeconds > 0, (rules.refresh?.seconds ?? 1) > 0, (rules.refresh?.shortSeconds ?? 1) > 0
        else { throw .invalid("rules: lifetimes are positive numbers of seconds") }
        guard client.refreshLeadSeconds >= 0 else {
            throw .invalid("client.refreshLeadSeconds: a number of seconds, not negative")
        }
        if rules.registersWithCode && rules.identifier != .phoneNumber {
            throw .invalid("rules.registersWithCode: codes go to phone numbers")
        }
        try rules.environment.check()
    }

    /// Validates the parts of every answer: the user, the envelope and the error body.
    private func checkBodies() throws(ContractProblem) {
        guard user.contains(.required(.id)) else { throw .invalid("user: id is required") }
        for use in user where !FieldSet.user.allowed.contains(use.field) {
            throw .invalid("user: \(use.field.rawValue) is not a field of a user")
        }
        try checkSpellings(user, in: nil, at: "user")
        for case .object(let uses) in [type(of: .deviceInfo)] { try checkSpellings(uses, in: nil, at: "names") }
        for case .list(let uses) in [type(of: .sessions), type(of: .factors), type(of: .permissions)] {
            try checkSpellings(uses, in: nil, at: "names")
        }
        if let envelope {
            let keys = [envelope.successKey, envelope.dataKey, failureKey]
            guard Set(keys).count == keys.count, !keys.contains("") else {
                throw .invalid("envelope: successKey, dataKey and failureKey are three names")
            }
        }
        let taken = Codec.Key.all
        guard !failureKey.isEmpty, !taken.contains(failureKey), !taken.contains(envelope?.successKey ?? "") else {
            throw .invalid("failureKey, envelope: error bodies have \(taken.joined(separator: ", ")) besides")
        }
        for code in messages.keys.sorted() where !Codec.isCode(code) {
            throw .invalid("messages: there is no refusal \(code)")
        }
        for provider in socialProviders where provider.isEmpty || provider.contains("/") || !Self.isPlainPath(provider)
        {
            throw .invalid("socialProviders: \(provider) needs escapes in a path")
        }
    }

    /// Verifies that no two operations match the same request, whether by equal paths or by a pattern that matches
    /// another operation's path with the same method.
    private func checkRoutes() throws(ContractProblem) {
        let routes = operations.map { kind, endpoint in
            let path = prefix + endpoint.path
            return (kind: kind, method: endpoint.method, path: path, shape: Self.shape(path))
        }
        for (index, route) in routes.enumerated() {
            for other in routes[..<index] where route.method == other.method && Self.overlap(route.shape, other.shape) {
                let name = "\(route.method.rawValue) \(route.path)"
                throw .invalid("endpoints: \(route.kind.rawValue) and \(other.kind.rawValue) are both \(name)")
            }
        }
    }

    private static func shape(_ path: String) -> [String] {
        Codec.segments(path).map { $0.hasPrefix("{") ? "{}" : String($0) }
    }

    private static func overlap(_ one: [String], _ other: [String]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || $0 == "{}" || $1 == "{}" }
    }

    /// Returns `true` if no segment needs percent-encoding or is `.` or `..`, and only the first and the last may be
    /// empty. Source: RFC 3986 §3.3.
    static func isPlainPath(_ path: String) -> Bool {
        let segments = Codec.segments(path)
        return segments.enumerated().allSatisfy { index, segment in
            if segment.isEmpty { return index == 0 || index == segments.count - 1 }
            return segment != "." && segment != ".."
                && segment.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "!$&'()*+,;=:@".utf8.contains($0) }
        }
    }

    func checkSpellings(_ uses: [FieldSpec], in endpoint: Endpoint?, at place: String) throws(ContractProblem) {
        var spellings: Set<String> = []
        for use in uses {
            let spelling = spelling(of: use.field, in: endpoint)
            guard !spelling.isEmpty else { throw .invalid("\(place): \(use.field.rawValue) has an empty name") }
            guard spellings.insert(spelling).inserted else {
                throw .invalid("\(place): two fields are called \(spelling)")
            }
        }
    }
}
