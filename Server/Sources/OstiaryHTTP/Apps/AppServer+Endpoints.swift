import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AppServer {
    /// The page at a path, if the app has what it is for.
    func page(at path: String) -> LinkPage? {
        guard let page = LinkPage(rawValue: path) else { return nil }
        switch page {
        case .resetPassword:
            // Where a code proves the phone number, no link is sent.
            let takes = codec.endpoint(for: .resetPassword)?.takes ?? []
            return takes.contains(.required(.resetToken)) ? page : nil
        case .confirmRegistration:
            return engine.app.registersSafely && codec.endpoint(for: .confirmRegistration) != nil ? page : nil
        }
    }

    /// What every app has below its base besides its contract.
    enum Endpoint: String {
        case verify = "/verify"
        case openAPI = "/openapi.json"
        case keys = "/.well-known/jwks.json"
    }

    func answer(_ endpoint: Endpoint, _ request: WireRequest, baseURL: String) async -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return Answer(codec.write(.wrongMethod(allowed: ["GET", "HEAD"])), operation: endpoint.rawValue)
        }
        let response =
            switch endpoint {
            case .verify: await verify(request, baseURL: baseURL)
            case .openAPI: openAPI(baseURL: baseURL)
            case .keys: await keys()
            }
        return Answer(response, operation: endpoint.rawValue)
    }

    /// Tells a reverse proxy whether to let a request through, and for whom. `?role=NAME` asks for a role as well.
    ///
    /// Not counted as an attempt: all of a proxy's requests come from one address.
    private func verify(_ request: WireRequest, baseURL: String) async -> WireResponse {
        do throws(AuthError) {
            let bearer = try await bearer(ofForwarded: request, baseURL: baseURL)
            for role in request.query.split(separator: "&") where role.hasPrefix("role=") {
                guard let name = PercentEncoding.decode(role.dropFirst(5), plusIsSpace: true),
                    bearer.account.roles.contains(name)
                else { throw .forbidden }
            }
            var response = WireResponse(status: 200)
            response.headers["x-auth-user"] = bearer.account.id.text
            response.headers["x-auth-session"] = bearer.session.id.text
            response.headers["x-auth-roles"] = bearer.account.roles.joined(separator: ",")
            return response
        } catch {
            return codec.write(error)
        }
    }

    private func openAPI(baseURL: String) -> WireResponse {
        json(codec.contract.openAPI(serverURL: baseURL).bytes)
    }

    private func keys() async -> WireResponse {
        do {
            guard let keys = try await publicKeys() else { return codec.write(.unknownPath) }
            return json(keys)
        } catch {
            return codec.write(.unavailable(incident: engine.ports.report(error)))
        }
    }

    /// Public documents that may be kept for a short while.
    private func json(_ body: [UInt8]) -> WireResponse {
        WireResponse(
            status: 200, headers: ["content-type": "application/json", "cache-control": "public, max-age=300"],
            body: body)
    }
}
