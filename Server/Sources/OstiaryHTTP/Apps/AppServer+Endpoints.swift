import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AppServer {
    /// The endpoints below an app's base that do not belong to its contract.
    enum Endpoint: String, CaseIterable {
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
            case .verify: await verify(request, baseURL: baseURL).addingNonce(of: engine, to: request)
            case .openAPI: openAPI(baseURL: baseURL)
            case .keys: await keys()
            }
        return Answer(response, operation: endpoint.rawValue)
    }

    /// Answers a reverse proxy's authorization subrequest: whether the request passes, and for which account.
    /// `role`, `permission`, `acr` and `max_age` require more; any other query is an error in the proxy's configuration and must not
    /// count as a check.
    ///
    /// Not counted as an attempt: all of a proxy's requests come from one address.
    private func verify(_ request: WireRequest, baseURL: String) async -> ServerResponse {
        guard let demand = VerifyDemand(query: request.query) else {
            return ServerResponse(
                codec.write(
                    400, code: AuthError.malformedRequest.code,
                    "The query is of role=NAME, acr=aal1 or aal2, max_age=SECONDS and scope=SCOPE, each at most once, and "
                        + "permission=RESOURCE:ACTION."))
        }
        do throws(AuthError) {
            let bearer = try await bearer(ofForwarded: request, baseURL: baseURL)
            if let role = demand.role, !bearer.account.user.hasRole(role) { throw .forbidden }
            let permissions = try await engine.permissions(of: bearer.account)
            guard demand.permissions.allSatisfy({ permissions.allows($0, in: demand.scope) }) else {
                throw .missingPermission
            }
            let authentication = try await engine.requireAuthentication(
                of: bearer, level: demand.level, maximumAgeSeconds: demand.maximumAgeSeconds)
            var response = ServerResponse(status: 200)
            response.headers["x-auth-user"] = bearer.account.id.text
            response.headers["x-auth-session"] = bearer.session.id.text
            // No header is sent empty: a proxy that copies only non-empty ones would pass a client's own value instead.
            if !bearer.account.roles.isEmpty {
                response.headers["x-auth-roles"] = bearer.account.roles.joined(separator: ",")
            }
            let general = permissions.grants.filter { $0.scope == nil }.map(\.pattern.text)
            if !general.isEmpty { response.headers["x-auth-permissions"] = general.joined(separator: ",") }
            if let actor = bearer.session.actor {
                // Its owner has not authenticated.
                response.headers["x-auth-actor"] = actor
                return response
            }
            response.headers["x-auth-acr"] = authentication.level.rawValue
            response.headers["x-auth-time"] = "\(Int(authentication.time.timeIntervalSince1970.rounded(.down)))"
            if !authentication.methods.isEmpty {
                response.headers["x-auth-amr"] = authentication.methods.joined(separator: ",")
            }
            return response
        } catch {
            return ServerResponse(codec.write(error))
        }
    }

    private func openAPI(baseURL: String) -> ServerResponse {
        json(
            openAPIDocument.bytes(for: baseURL) {
                codec.contract.openAPI(
                    serverURL: baseURL, attributes: codec.attributes, bindsTokens: engine.app.dpop.requirement != .off
                ).bytes
            })
    }

    private func keys() async -> ServerResponse {
        do {
            guard let keys = try await publicKeys() else { return ServerResponse(codec.write(.unknownPath)) }
            return json(keys)
        } catch {
            return ServerResponse(codec.write(.unavailable(incident: engine.ports.report(error))))
        }
    }

    /// A public JSON document, cacheable for 5 minutes.
    private func json(_ body: [UInt8]) -> ServerResponse {
        ServerResponse(
            status: 200, headers: ["content-type": "application/json", "cache-control": "public, max-age=300"],
            body: body)
    }
}
