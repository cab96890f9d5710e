extension EnglishConsoleTexts {
    // MARK: People

    var app: String { "App" }
    var apps: String { "Apps" }
    var everyApp: String { "All apps" }
    var person: String { "Person" }
    var people: String { "People" }
    var search: String { "Search" }
    var searchHint: String { "The beginning of an email, username, phone number, name or id" }
    var createdAfter: String { "Created after" }
    var state: String { "State" }
    var active: String { "Active" }
    var disabled: String { "Disabled" }
    var role: String { "Role" }
    var rolesTitle: String { "Roles" }
    var scope: String { "Scope" }
    var everyScope: String { "Every scope" }
    var noRoles: String { "No roles" }
    var rolesHint: String { "One on each line: ROLE, or ROLE@SCOPE for one scope." }
    var noPeople: String { "Nobody matches." }
    var noPeopleYet: String { "Nobody matches so far. The search continues on the next page." }
    var newPerson: String { "New person" }
    var newPersonNote: String { "At least one of email, username and phone number is needed, as the app requires." }
    var newPersonPasswordHint: String { "Leave it empty for a person who sets one through the invitation." }
    var sendInvitation: String { "Send an invitation by mail" }
    var sendInvitationHint: String { "With a link to set a password. Only without a password here." }
    var accountOf: String { "Account of " }
    var about: String { "About " }
    var profile: String { "Profile" }
    var accountID: String { "Account ID" }
    var username: String { "Username" }
    var phoneNumber: String { "Phone number" }
    var emailIsVerified: String { "The person has proved to receive mail there" }
    var phoneNumberIsVerified: String { "The person has proved to receive messages there" }
    var verified: String { "verified" }
    var notVerified: String { "not verified" }
    var hasPassword: String { "Set" }
    var hasNoPassword: String { "None" }
    var createdAt: String { "Created" }
    var updatedAt: String { "Changed" }
    var lastSignInAt: String { "Last sign-in" }
    var provider: String { "Provider" }
    var providerSubject: String { "Subject" }
    var identities: String { "Linked providers" }
    var noIdentities: String { "No linked provider" }
    var linkedAt: String { "Linked" }
    var secondFactor: String { "Second factor" }
    var noFactors: String { "No second factors" }
    var kind: String { "Kind" }
    var addedAt: String { "Added" }
    var lastUsedAt: String { "Last used" }
    var sessions: String { "Sessions" }
    var noSessions: String { "Not signed in anywhere" }
    var device: String { "Device" }
    var address: String { "Address" }
    var signedInAt: String { "Signed in" }
    var endsAt: String { "Ends" }
    var timeline: String { "Timeline" }
    var allEvents: String { "All events" }
    var dangers: String { "Account actions" }
    var dangersNote: String { "Each of these asks for a confirmation, and for a sign-in within the last five minutes." }
}
