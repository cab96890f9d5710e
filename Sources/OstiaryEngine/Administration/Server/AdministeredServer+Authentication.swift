import Foundation
public import OstiaryCore

extension AdministeredServer {
    /// The requests with wrong keys that a network may send.
    private static let wrongKeys = RateLimit(attempts: 30, perSeconds: 60)

    /// Authenticates a request to the admin API by its service key.
    ///
    /// The right key is accepted even while its network is refused for wrong ones: a key cannot be guessed, and nobody
    /// is to lock administrators out.
    ///
    /// - Parameter text: The bearer token; `nil` for a request without one.
    /// - Throws: ``ServiceKeyRefusal``, or the store's error.
    public func authenticate(_ text: Secret<String>?, from caller: Caller) async throws -> ServerAdministration {
        guard let text else { throw ServiceKeyRefusal.missing }
        guard let presented = ServiceKeySecret(text), let key = try await store.serviceKey(presented.id),
            constantTimeEqual(presented.hash(keys), key.hash)
        else {
            if let wait = count("wrong-service-key", Self.wrongKeys, of: caller) {
                throw ServiceKeyRefusal.tooMany(retryAfterSeconds: wait)
            }
            throw try await audited(.unknown, of: nil, caller)
        }
        let now = system.now()
        guard key.revokedAt == nil else { throw try await audited(.revoked, of: key, caller) }
        guard key.isValid(at: now) else { throw try await audited(.expired, of: key, caller) }
        guard key.accepts(caller) else { throw try await audited(.networkNotAllowed, of: key, caller) }
        serviceKeyUses.note(key, at: now, in: store)
        return ServerAdministration(
            self, actor: .serviceKey(key.id.text), reach: AdministrationReach(key), caller: caller)
    }

    /// Returns the refusal after writing it to the audit log, at most once a minute for each network and reason: anyone
    /// can send wrong keys, and a flood of them must not fill the log.
    private func audited(
        _ refusal: ServiceKeyRefusal, of key: ServiceKey?, _ caller: Caller
    ) async throws -> ServiceKeyRefusal {
        let once = RateLimit(attempts: 1, perSeconds: 60)
        guard count("audit-\(refusal.code)-\(key?.id.text ?? "")", once, of: caller) == nil else { return refusal }
        try await store.append(
            AuditEvent(
                at: system.now(), app: .server, action: "admin.authenticate", outcome: refusal.code,
                address: caller.address, userAgent: caller.userAgent,
                actor: key.map { AdministrationActor.serviceKey($0.id.text).text }))
        return refusal
    }

    private func count(_ what: String, _ limit: RateLimit, of caller: Caller) -> Int? {
        let bucket = AttemptBucket(key: "admin/\(what)/\(caller.network ?? "")", limit: limit)
        return inMemoryRateLimiter.count([bucket], at: system.now())
    }
}

extension ServiceKey {
    /// Returns `true` if requests of the caller's network may use the key.
    fileprivate func accepts(_ caller: Caller) -> Bool {
        guard !networks.isEmpty else { return true }
        guard let address = caller.address.flatMap({ IPAddress($0) }) else { return false }
        return networks.contains { $0.contains(address) }
    }
}
