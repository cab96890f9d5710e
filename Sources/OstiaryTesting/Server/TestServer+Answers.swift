import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension TestServer {
    func answer(_ request: WireRequest) async -> WireResponse {
        if let error = scriptedRefusal(of: request) { return original(codec.write(error)) }
        do {
            let deviceToken = DeviceTokenHeader.read(request.headers[DeviceTokenHeader.name])
            return original(await answer(try codec.read(request), deviceToken: deviceToken))
        } catch .unknownPath {
            return original(await answerOwn(request) ?? codec.write(.unknownPath))
        } catch {
            return original(codec.write(error, to: request))
        }
    }

    private func answer<Operation: AuthOperation>(
        _ operation: Operation, deviceToken: Secret<String>?
    ) async -> WireResponse {
        let response: WireResponse
        do throws(AuthError) {
            response = codec.write(
                try await backend.service(for: operation, presenting: deviceToken).perform(operation),
                to: Operation.kind)
        } catch {
            response = codec.write(error, to: Operation.kind)
        }
        script.change { $0.performed.append(Operation.kind) }
        return response
    }

    /// Returns the answer of a route of the app's own; `nil` if no route matches.
    private func answerOwn(_ request: WireRequest) async -> WireResponse? {
        guard
            let (route, values) = script.value.routes.lazy.compactMap({ route in
                route.values(of: request).map { (route, $0) }
            }).first
        else { return nil }
        do throws(AuthError) {
            guard let token = request.headers["authorization"].flatMap(BearerToken.read) else {
                throw .invalidAccessToken
            }
            let bearer = try await backend.service.bearer(of: Secret(token))
            let user = bearer.user
            if let role = route.role, !user.hasRole(role) { throw .forbidden }
            if let permission = route.permission {
                let permissions = try await backend.service.permissions(of: bearer.account)
                guard permissions.allows(permission) else { throw .missingPermission }
            }
            _ = try await backend.service.requireAuthentication(
                of: bearer, level: route.requirement.level, maximumAgeSeconds: route.requirement.maximumAgeSeconds)
            return await route.answer(TestVisit(request: request, user: user, values: values))
        } catch {
            return codec.write(error)
        }
    }

    /// Removes the members of an error that only Ostiary writes, to answer as the original backend does.
    private func original(_ response: WireResponse) -> WireResponse {
        guard rules.answersAsOriginal, response.status >= 400, let body = try? JSON.read(response.body),
            case .object(let members) = body
        else { return response }
        var response = response
        response.body = JSON.object(members.filter { !Self.ours.contains($0.name) }).bytes
        return response
    }

    private static let ours: Set<String> = ["code", "retry_after", "incident", "minimum", "maximum"]
}
