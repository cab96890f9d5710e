/// A server as administrators see it: its apps, and what they share.
public struct AdministeredServer: Sendable {
    /// The apps in the order of the configuration, the built-in provider's last.
    public let apps: [AdministeredApp]
    /// The store of all persistent state.
    public let store: any Store
    /// The keys derived from the configured `encryption_key`.
    public let keys: KeyRing
    /// The clock, randomness and delays.
    public let system: SystemDependencies
    /// The URLs that events are sent to.
    public let eventURLs: EventURLPolicy
    /// Counts refused service keys, in memory.
    public let inMemoryRateLimiter: InMemoryRateLimiter
    /// The uses of service keys that are being recorded.
    public let serviceKeyUses: ServiceKeyUses
    /// Logs an unexpected failure and returns the incident id it was logged under.
    public let report: @Sendable (any Error) -> String

    /// Creates a server from its parts.
    public init(
        apps: [AdministeredApp], store: any Store, keys: KeyRing, system: SystemDependencies,
        inMemoryRateLimiter: InMemoryRateLimiter, eventURLs: EventURLPolicy = EventURLPolicy(),
        serviceKeyUses: ServiceKeyUses = ServiceKeyUses(), report: @escaping @Sendable (any Error) -> String
    ) {
        self.apps = apps
        self.store = store
        self.keys = keys
        self.system = system
        self.eventURLs = eventURLs
        self.inMemoryRateLimiter = inMemoryRateLimiter
        self.serviceKeyUses = serviceKeyUses
        self.report = report
    }
}
