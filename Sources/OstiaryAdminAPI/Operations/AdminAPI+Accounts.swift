import OstiaryCore

private let accounts = "/apps/{app}/accounts"
private let account = accounts + "/{account}"

extension AdminAPI {
    /// Lists the accounts of an app.
    public static let listAccounts = AdminEndpoint(
        "listAccounts", .get, accounts, .accountsRead, "Lists the accounts of an app",
        query: AdminAccountQuery.self, answer: AdminPage<AdminAccount>.self)
    /// Creates an account.
    public static let createAccount = AdminEndpoint(
        "createAccount", .post, accounts, .accountsWrite, "Creates an account",
        body: AdminAccountCreation.self, answer: AdminAccount.self, status: 201)
    /// Returns an account.
    public static let getAccount = AdminEndpoint(
        "getAccount", .get, account, .accountsRead, "Returns an account", answer: AdminAccount.self)
    /// Changes an account.
    public static let updateAccount = AdminEndpoint(
        "updateAccount", .patch, account, .accountsWrite, "Changes an account by a merge patch",
        body: AdminAccountPatch.self, answer: AdminAccount.self)
    /// Deletes an account.
    public static let deleteAccount = AdminEndpoint(
        "deleteAccount", .delete, account, .accountsWrite, "Deletes an account")
    /// Disables an account and ends its sessions.
    public static let disableAccount = AdminEndpoint(
        "disableAccount", .post, account + "/disable", .accountsWrite, "Disables an account and ends its sessions")
    /// Enables an account.
    public static let enableAccount = AdminEndpoint(
        "enableAccount", .post, account + "/enable", .accountsWrite, "Enables an account")
    /// Sets the password of an account.
    public static let setPassword = AdminEndpoint(
        "setPassword", .post, account + "/password", .accountsWrite, "Sets the password of an account",
        body: AdminPasswordChange.self)
    /// Sends the owner of an account a link to choose a new password.
    public static let sendPasswordReset = AdminEndpoint(
        "sendPasswordReset", .post, account + "/password-reset", .accountsWrite,
        "Sends the owner a link to choose a new password", status: 202)
    /// Sends the owner of a new account a link to choose a password.
    public static let sendInvitation = AdminEndpoint(
        "sendInvitation", .post, account + "/invite", .accountsWrite,
        "Sends the owner of a new account a link to choose a password", status: 202)
    /// Lists the linked identities of an account.
    public static let listIdentities = AdminEndpoint(
        "listIdentities", .get, account + "/identities", .accountsRead, "Lists the linked identities of an account",
        query: AdminPageQuery.self, answer: AdminPage<AdminIdentity>.self)
    /// Removes a linked identity.
    public static let removeIdentity = AdminEndpoint(
        "removeIdentity", .delete, account + "/identities/{identity}", .accountsWrite, "Removes a linked identity")
    /// Replaces the roles of an account.
    public static let setRoles = AdminEndpoint(
        "setRoles", .put, account + "/roles", .rolesWrite, "Replaces the roles of an account",
        body: AdminRoleAssignments.self, answer: AdminRoleAssignments.self)
    /// Returns everything that is kept about a person.
    public static let exportAccount = AdminEndpoint(
        "exportAccount", .get, account + "/export", .accountsExport, "Returns everything that is kept about a person",
        answer: AdminExport.self)
    /// Opens a short session of a person, for support.
    public static let impersonate = AdminEndpoint(
        "impersonate", .post, account + "/impersonate", .accountsImpersonate,
        "Opens a short session of a person, for support",
        body: AdminImpersonationRequest.self, answer: AdminImpersonation.self)

    static let accountOperations = [
        listAccounts.operation, createAccount.operation, getAccount.operation, updateAccount.operation,
        deleteAccount.operation, disableAccount.operation, enableAccount.operation, setPassword.operation,
        sendPasswordReset.operation, sendInvitation.operation, listIdentities.operation, removeIdentity.operation,
        setRoles.operation, exportAccount.operation, impersonate.operation,
    ]
}

extension AdminAPI {
    /// Lists the sessions of an account.
    public static let listSessions = AdminEndpoint(
        "listSessions", .get, account + "/sessions", .sessionsRead, "Lists the sessions of an account",
        query: AdminPageQuery.self, answer: AdminPage<AdminSession>.self)
    /// Ends all sessions of an account.
    public static let endSessions = AdminEndpoint(
        "endSessions", .delete, account + "/sessions", .sessionsWrite, "Ends all sessions of an account")
    /// Ends a session.
    public static let endSession = AdminEndpoint(
        "endSession", .delete, account + "/sessions/{session}", .sessionsWrite, "Ends a session")
    /// Lists the second factors of an account.
    public static let listFactors = AdminEndpoint(
        "listFactors", .get, account + "/factors", .factorsRead, "Lists the second factors of an account",
        query: AdminPageQuery.self, answer: AdminPage<AdminFactor>.self)
    /// Removes all second factors of an account, and notifies its owner.
    public static let removeFactors = AdminEndpoint(
        "removeFactors", .delete, account + "/factors", .factorsWrite, "Removes all second factors of an account")
    /// Removes a second factor, and notifies its owner.
    public static let removeFactor = AdminEndpoint(
        "removeFactor", .delete, account + "/factors/{factor}", .factorsWrite, "Removes a second factor")

    static let sessionOperations = [
        listSessions.operation, endSessions.operation, endSession.operation, listFactors.operation,
        removeFactors.operation, removeFactor.operation,
    ]
}
