/// The texts of the pages about keys, roles, events and the server.
protocol ConsoleOperationTexts: Sendable {
    // MARK: Roles and keys

    var nameTitle: String { get }
    var permissions: String { get }
    var permissionsHint: String { get }
    var roleNameHint: String { get }
    var source: String { get }
    var serviceKeysNote: String { get }
    var noServiceKeys: String { get }
    var newServiceKeyNote: String { get }
    var serviceKeyCreated: String { get }
    var shownOnce: String { get }
    var scopes: String { get }
    var networks: String { get }
    var networksHint: String { get }
    var serviceKeyAppsHint: String { get }
    var everyAppButProvider: String { get }
    var expiresAt: String { get }
    var expired: String { get }
    var revoked: String { get }
    var keyID: String { get }
    var algorithm: String { get }
    var acceptedUntil: String { get }
    var signs: String { get }
    var signsLater: String { get }
    var isAccepted: String { get }
    var sharedSecret: String { get }

    // MARK: Events

    var endpoint: String { get }
    var endpoints: String { get }
    var endpointID: String { get }
    var endpointOf: String { get }
    var noEndpoints: String { get }
    var endpointCreated: String { get }
    var url: String { get }
    var urlHint: String { get }
    var eventType: String { get }
    var eventTypes: String { get }
    var everyType: String { get }
    var includedFields: String { get }
    var descriptionTitle: String { get }
    var contact: String { get }
    var contactHint: String { get }
    var isEnabled: String { get }
    var lastSuccessAt: String { get }
    var failingSince: String { get }
    var delivery: String { get }
    var deliveries: String { get }
    var noDeliveries: String { get }
    var newSecretNote: String { get }

    // MARK: Server

    var configurationNote: String { get }
    var server: String { get }
    var version: String { get }
    var store: String { get }
    var available: String { get }
    var unavailableBadge: String { get }
}
