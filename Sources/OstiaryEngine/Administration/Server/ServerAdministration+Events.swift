extension ServerAdministration {
    /// The operations on the endpoints for events of the apps within reach, and the deliveries to them.
    public var events: EventAdministration {
        EventAdministration(
            store: server.store, keys: server.keys, system: server.system, urls: server.eventURLs,
            apps: Set(apps.map(\.name)), actor: actor, caller: caller)
    }
}
