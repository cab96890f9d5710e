import OstiaryEngine

extension EnglishConsoleTexts {
    // MARK: Roles and keys

    var nameTitle: String { "Name" }
    var permissions: String { "Permissions" }
    var permissionsHint: String { "One on each line, such as videos:write, videos:* or *." }
    var roleNameHint: String { RoleAssignment.form }
    var source: String { "Source" }
    var serviceKeysNote: String {
        "For programs that use the admin API. Each has only the rights and apps that it needs."
    }
    var noServiceKeys: String { "No service keys" }
    var newServiceKeyNote: String { "The key is shown once, after it was created." }
    var serviceKeyCreated: String { "The service key was created" }
    var shownOnce: String { "Copy it now: it is not shown again, and nobody can look it up." }
    var scopes: String { "Rights" }
    var networks: String { "Networks" }
    var networksHint: String { "One on each line, such as 10.0.0.0/8. Empty for any." }
    var serviceKeyAppsHint: String { "Names, one on each line. Empty for all but idp, which must be named." }
    var everyAppButProvider: String { "All but idp" }
    var expiresAt: String { "Expires" }
    var expired: String { "Expired" }
    var revoked: String { "Revoked" }
    var keyID: String { "Key ID" }
    var algorithm: String { "Algorithm" }
    var acceptedUntil: String { "Accepted until" }
    var signs: String { "Signs" }
    var signsLater: String { "Signs later" }
    var isAccepted: String { "Accepted" }
    var sharedSecret: String { "Signs with the secret of the configuration." }

    // MARK: Events

    var endpoint: String { "Endpoint" }
    var endpoints: String { "Endpoints" }
    var endpointID: String { "ID" }
    var endpointOf: String { "Endpoint of " }
    var noEndpoints: String { "No endpoints" }
    var endpointCreated: String { "The endpoint was created" }
    var url: String { "URL" }
    var urlHint: String { "https, at a public address" }
    var eventType: String { "Event" }
    var eventTypes: String { "Events" }
    var everyType: String { "All" }
    var includedFields: String { "Included fields" }
    var descriptionTitle: String { "Description" }
    var contact: String { "Contact" }
    var contactHint: String { "Told by mail if the endpoint is disabled because it fails" }
    var isEnabled: String { "Enabled" }
    var lastSuccessAt: String { "Last success" }
    var failingSince: String { "Failing since" }
    var delivery: String { "Delivery" }
    var deliveries: String { "Deliveries" }
    var noDeliveries: String { "No deliveries" }
    var newSecretNote: String { "Copy it now: it is not shown again. The previous secret is valid for 24 hours more." }

    // MARK: Server

    var configurationNote: String {
        "The effective values. Secrets are masked. Change them in the file, then reload the server."
    }
    var server: String { "Server" }
    var version: String { "Version" }
    var store: String { "Store" }
    var available: String { "Available" }
    var unavailableBadge: String { "Not available" }
}
