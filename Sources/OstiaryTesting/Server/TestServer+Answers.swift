import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension TestServer {
    func answer(_ request: WireRequest) async -> WireResponse {
        var response = await answerWithoutNonce(request)
        if request.headers[DPoPHeader.proof] != nil, rules.sessionBinding != .off {
            response.headers[DPoPHeader.nonce] = response.headers[DPoPHeader.nonce] ?? backend.service.dpopNonce
        }
        return response
    }

    private func answerWithoutNonce(_ original: WireRequest) async -> WireResponse {
        let proof = presentedProof(of: original)
        var request = original
        if let token = original.headers["authorization"].flatMap(DPoPHeader.token) {
            request.headers["authorization"] = BearerToken.write(token)
        }
        if let error = scriptedRefusal(of: request) { return self.original(codec.write(error)) }
        do {
            return self.original(await answer(try codec.read(request), to: request, proof))
        } catch .unknownPath {
            return self.original(await answerOwn(request, proof) ?? codec.write(.unknownPath))
        } catch {
            return self.original(codec.write(error, to: request))
        }
    }

    private func presentedProof(of request: WireRequest) -> PresentedProof? {
        let header = request.headers[DPoPHeader.proof]
        let hasScheme = request.headers["authorization"].flatMap(DPoPHeader.token) != nil
        guard header != nil || hasScheme else { return nil }
        let proof = header.flatMap { DPoPProof($0) }
        return PresentedProof(
            proof: proof, isUnreadable: header != nil && proof == nil, hasScheme: hasScheme, method: request.method,
            url: baseURL.text + request.path)
    }

    private func answer<Operation: AuthOperation>(
        _ operation: Operation, to request: WireRequest, _ proof: PresentedProof?
    ) async -> WireResponse {
        let response: WireResponse
        do throws(AuthError) {
            let service = backend.service(
                for: operation, presenting: DeviceTokenHeader.read(request.headers[DeviceTokenHeader.name]), proof,
                appAssertion: appAssertion(of: request))
            response = codec.write(try await service.perform(operation), to: Operation.kind)
        } catch {
            response = codec.write(error, to: Operation.kind)
        }
        script.change { $0.performed.append(Operation.kind) }
        return response
    }

    private func appAssertion(of request: WireRequest) -> PresentedAppAssertion? {
        guard let value = request.headers[AppAssertionHeader.name] else { return nil }
        let presented = AppAssertionHeader.read(value)
        return PresentedAppAssertion(
            keyID: presented?.keyID ?? [], assertion: presented?.assertion ?? [],
            clientData: AppAssertionHeader.clientData(
                method: request.method, path: baseURL.path + request.path,
                bodySHA256: Array(SHA256.hash(data: request.body))))
    }

    /// Returns the answer of a route of the app's own; `nil` if no route matches.
    private func answerOwn(_ request: WireRequest, _ proof: PresentedProof?) async -> WireResponse? {
        guard
            let (route, values) = script.value.routes.lazy.compactMap({ route in
                route.values(of: request).map { (route, $0) }
            }).first
        else { return nil }
        do throws(AuthError) {
            guard let token = request.headers["authorization"].flatMap(BearerToken.read) else {
                throw .invalidAccessToken
            }
            let bearer = try await backend.service(presenting: proof).bearer(of: Secret(token))
            let user = backend.service.app.user(of: bearer.account)
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
