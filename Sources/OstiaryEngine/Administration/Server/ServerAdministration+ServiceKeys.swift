public import OstiaryCore

extension ServerAdministration {
    /// Returns a page of service keys in order of creation, beginning after `position`.
    ///
    /// - Returns: The keys, and the position of the last; the position is `nil` if there are no more.
    public func serviceKeys(
        after position: Int?, limit: Int
    ) async throws -> (page: [ServiceKey], position: Int?) {
        try await server.store.serviceKeys(after: position, limit: limit)
    }

    /// Creates a service key.
    ///
    /// - Returns: The key, and its text, which is not kept.
    /// - Throws: ``AdministrationProblem`` that points at a field that is not acceptable.
    public func createServiceKey(_ new: NewServiceKey) async throws -> (key: ServiceKey, text: Secret<String>) {
        let secret = ServiceKeySecret(server.system)
        let key = try new.key(
            id: secret.id, hash: secret.hash(server.keys), known: server.apps.map(\.name), now: server.system.now())
        try await audit("service_keys.create", subject: key.id.text)
        try await server.store.add(key)
        return (key, secret.text)
    }

    /// Revokes a service key; one that was revoked before stays as it is.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none.
    public func revokeServiceKey(_ text: String) async throws -> ServiceKey {
        guard let id = try? ServiceKeyID(text), try await server.store.serviceKey(id) != nil else {
            throw AdministrationProblem.notFound("no service key \(AdministrationProblem.shown(text))")
        }
        try await audit("service_keys.revoke", subject: id.text)
        guard let key = try await server.store.revokeServiceKey(id, at: server.system.now()) else {
            throw AdministrationProblem.notFound("no service key \(id)")
        }
        return key
    }
}
