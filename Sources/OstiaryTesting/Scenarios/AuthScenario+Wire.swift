import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let wire: [AuthScenario] = [
        AuthScenario("requests that cannot be read") { play in
            let contract = play.contract
            for (kind, endpoint) in contract.operations where !endpoint.path.contains("{") {
                let path = contract.prefix + endpoint.path
                let method = endpoint.method.rawValue
                let json = ["content-type": "application/json"]
                // A provider that is asked by a browser answers with pages.
                guard kind != .beginBrowserSignIn else { continue }
                try await play.send("\(kind) empty", WireRequest(method: method, path: path))
                guard endpoint.method != .get else { continue }
                for body in ["{}", "[]", "{", #"{"a":1,"a":2}"#, "\u{FEFF}{}"] {
                    try await play.send(
                        "\(kind) \(body.debugDescription)",
                        WireRequest(method: method, path: path, headers: json, body: Array(body.utf8)))
                }
                try await play.send(
                    "\(kind) as text",
                    WireRequest(
                        method: method, path: path, headers: ["content-type": "text/plain"], body: [0x7B, 0x7D]))
            }
        },
        AuthScenario("paths and methods that there are not") { play in
            let contract = play.contract
            try await play.send("path", WireRequest(method: "GET", path: contract.prefix + "/nothing-here"))
            for (kind, endpoint) in contract.operations where !endpoint.path.contains("{") {
                guard kind != .beginBrowserSignIn else { continue }
                try await play.send(
                    "\(kind)", WireRequest(method: "PUT", path: contract.prefix + endpoint.path))
            }
        },
        AuthScenario("access tokens that are none") { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            let own = jo.tokens.accessToken.reveal()
            for token in ["x", own + "A", String(own.dropLast(4)), jo.tokens.refreshToken?.reveal() ?? "y"] {
                await play.me(Tokens(accessToken: Secret(token), expiresIn: nil, refreshToken: nil))
            }
            await play.me(jo.tokens)
        },
    ]
}
