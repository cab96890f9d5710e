public import OstiaryAdminAPI

extension AdminClient {
    /// Lists the event endpoints.
    public func eventEndpoints(
        _ query: AdminEventEndpointQuery = AdminEventEndpointQuery()
    ) -> AdminList<AdminEventEndpoint> {
        list(AdminAPI.listEventEndpoints, query)
    }

    /// Creates an event endpoint. Only this answer has its secret, which a ``WebhookVerifier`` needs.
    ///
    /// - Throws: ``AdminError``.
    public func createEventEndpoint(
        _ endpoint: AdminEventEndpointCreation, idempotencyKey: String? = nil
    ) async throws(AdminError) -> AdminEventEndpoint {
        try await perform(AdminAPI.createEventEndpoint, body: endpoint, idempotencyKey: idempotencyKey)
    }

    /// Returns an event endpoint.
    ///
    /// - Throws: ``AdminError``.
    public func eventEndpoint(_ id: String) async throws(AdminError) -> AdminEventEndpoint {
        try await perform(AdminAPI.getEventEndpoint, path: [id])
    }

    /// Changes an event endpoint by a merge patch, and returns it.
    ///
    /// - Throws: ``AdminError``.
    public func updateEventEndpoint(
        _ id: String, _ patch: AdminEventEndpointPatch
    ) async throws(AdminError) -> AdminEventEndpoint {
        try await perform(AdminAPI.updateEventEndpoint, path: [id], body: patch)
    }

    /// Deletes an event endpoint.
    ///
    /// - Throws: ``AdminError``.
    public func deleteEventEndpoint(_ id: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.deleteEventEndpoint, path: [id])
    }

    /// Replaces the secret of an event endpoint. Events are signed with both for 24 hours.
    ///
    /// - Throws: ``AdminError``.
    public func rotateEventSecret(of id: String) async throws(AdminError) -> AdminEventSecret {
        try await perform(AdminAPI.rotateEventSecret, path: [id])
    }

    /// Sends an event endpoint a test event.
    ///
    /// - Returns: Its delivery, which has only been queued.
    /// - Throws: ``AdminError``.
    public func testEventEndpoint(_ id: String) async throws(AdminError) -> AdminEventDelivery {
        try await perform(AdminAPI.testEventEndpoint, path: [id])
    }

    /// Lists deliveries of events, the newest first.
    public func eventDeliveries(
        _ query: AdminEventDeliveryQuery = AdminEventDeliveryQuery()
    ) -> AdminList<AdminEventDelivery> {
        list(AdminAPI.listEventDeliveries, query)
    }

    /// Delivers an event again, out of order.
    ///
    /// - Returns: The new delivery, which has only been queued.
    /// - Throws: ``AdminError``.
    public func redeliverEvent(_ delivery: String) async throws(AdminError) -> AdminEventDelivery {
        try await perform(AdminAPI.redeliverEvent, path: [delivery])
    }
}
