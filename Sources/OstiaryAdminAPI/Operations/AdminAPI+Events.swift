import OstiaryCore

private let endpoint = "/events/endpoints/{endpoint}"

extension AdminAPI {
    /// Lists the event endpoints.
    public static let listEventEndpoints = AdminEndpoint(
        "listEventEndpoints", .get, "/events/endpoints", .eventsRead, "Lists the event endpoints",
        query: AdminEventEndpointQuery.self, answer: AdminPage<AdminEventEndpoint>.self)
    /// Creates an event endpoint; only this answer has its secret.
    public static let createEventEndpoint = AdminEndpoint(
        "createEventEndpoint", .post, "/events/endpoints", .eventsWrite, "Creates an event endpoint",
        body: AdminEventEndpointCreation.self, answer: AdminEventEndpoint.self, status: 201)
    /// Returns an event endpoint.
    public static let getEventEndpoint = AdminEndpoint(
        "getEventEndpoint", .get, endpoint, .eventsRead, "Returns an event endpoint", answer: AdminEventEndpoint.self)
    /// Changes an event endpoint.
    public static let updateEventEndpoint = AdminEndpoint(
        "updateEventEndpoint", .patch, endpoint, .eventsWrite, "Changes an event endpoint by a merge patch",
        body: AdminEventEndpointPatch.self, answer: AdminEventEndpoint.self)
    /// Deletes an event endpoint and its deliveries.
    public static let deleteEventEndpoint = AdminEndpoint(
        "deleteEventEndpoint", .delete, endpoint, .eventsWrite, "Deletes an event endpoint")
    /// Replaces the secret of an event endpoint.
    public static let rotateEventSecret = AdminEndpoint(
        "rotateEventSecret", .post, endpoint + "/rotate-secret", .eventsWrite,
        "Replaces the secret of an event endpoint",
        answer: AdminEventSecret.self)
    /// Sends an event endpoint an event without content.
    public static let testEventEndpoint = AdminEndpoint(
        "testEventEndpoint", .post, endpoint + "/test", .eventsWrite, "Sends an event endpoint a test",
        answer: AdminEventDelivery.self, status: 202)
    /// Lists deliveries of events, the newest first.
    public static let listEventDeliveries = AdminEndpoint(
        "listEventDeliveries", .get, "/events/deliveries", .eventsRead, "Lists deliveries of events, the newest first",
        query: AdminEventDeliveryQuery.self, answer: AdminPage<AdminEventDelivery>.self)
    /// Delivers an event again.
    public static let redeliverEvent = AdminEndpoint(
        "redeliverEvent", .post, "/events/deliveries/{delivery}/redeliver", .eventsWrite, "Delivers an event again",
        answer: AdminEventDelivery.self, status: 202)

    static let eventOperations = [
        listEventEndpoints.operation, createEventEndpoint.operation, getEventEndpoint.operation,
        updateEventEndpoint.operation, deleteEventEndpoint.operation, rotateEventSecret.operation,
        testEventEndpoint.operation, listEventDeliveries.operation, redeliverEvent.operation,
    ]
}
