import OstiaryEngine

extension EnglishConsoleTexts {
    func name(of action: PersonAction) -> String {
        switch action {
        case .edit: "Edit"
        case .roles: "Change roles"
        case .disable: "Disable"
        case .enable: "Enable"
        case .delete: "Delete account"
        case .password: "Set a password"
        case .passwordReset: "Send a password reset"
        case .invite: "Send an invitation"
        case .endSession: "End session"
        case .endSessions: "End all sessions"
        case .removeFactor: "Remove"
        case .resetFactors: "Remove all second factors"
        case .unlinkIdentity: "Unlink"
        case .export: "Export the data"
        }
    }

    func name(of task: ConsoleTask) -> String {
        switch task {
        case .newRole: "New role"
        case .editRole: "Edit"
        case .deleteRole: "Delete"
        case .newServiceKey: "New service key"
        case .revokeServiceKey: "Revoke"
        case .rotateSigningKeys: "Rotate"
        case .retryMessage: "Send again"
        case .newEndpoint: "New endpoint"
        case .endpoint: "Endpoint"
        case .editEndpoint: "Edit"
        case .deleteEndpoint: "Delete endpoint"
        case .rotateEndpointSecret: "New secret"
        case .testEndpoint: "Send a test"
        case .redeliver: "Deliver again"
        }
    }

    func consequence(of action: PersonAction) -> String? {
        switch action {
        case .edit: "Apps see the new values on the next request."
        case .roles: "Permissions change with the next request of the person."
        case .disable: "All sessions end at once, and the person cannot sign in."
        case .enable: "The person can sign in again."
        case .delete: "The account, its sessions and its factors are deleted for good."
        case .password: "All sessions end, and the person is told by mail."
        case .passwordReset: "The person gets a mail with a link to set a new password."
        case .invite: "The person gets a mail with a link to set a password."
        case .endSession: "The person has to sign in again on that device."
        case .endSessions: "The person has to sign in again on every device."
        case .removeFactor: "The person is told by mail, and can undo it."
        case .resetFactors:
            "All second factors and recovery codes are removed, and all sessions end. The person is told by mail."
        case .unlinkIdentity: "The person can no longer sign in through this provider."
        case .export:
            "A JSON file with everything that is kept about the person, without secrets. The export is in the audit log."
        }
    }

    func consequence(of task: ConsoleTask) -> String? {
        switch task {
        case .deleteRole: "Whoever has the role keeps it by name; it permits nothing any more."
        case .revokeServiceKey: "Requests with the key are refused from now on."
        case .rotateSigningKeys:
            "A new key signs from now on. No session ends: earlier tokens are accepted until they expire."
        case .retryMessage: "The message is sent again at once."
        case .deleteEndpoint: "Events that wait for delivery are dropped."
        case .rotateEndpointSecret: "The previous secret is valid for 24 hours more."
        case .testEndpoint: "An event without an account is sent to the endpoint."
        case .redeliver: "The same event is sent once more, out of order."
        case .newEndpoint, .editEndpoint:
            "Without a chosen event all are sent. Included fields leave the server with every event."
        case .newRole, .editRole, .newServiceKey, .endpoint: nil
        }
    }

    func confirmation(of action: PersonAction) -> String {
        switch action {
        case .edit, .roles, .password: "Save"
        case .passwordReset, .invite: "Send"
        default: name(of: action)
        }
    }

    func confirmation(of task: ConsoleTask) -> String {
        switch task {
        case .editRole, .editEndpoint: "Save"
        case .newRole, .newServiceKey, .newEndpoint: "Create"
        default: name(of: task)
        }
    }

    func notice(_ code: String) -> String? {
        switch PersonAction(rawValue: code) {
        case .edit, .roles: return "The changes are saved."
        case .disable: return "The account is disabled."
        case .enable: return "The account is enabled."
        case .delete: return "The account was deleted."
        case .password: return "The password is set."
        case .passwordReset: return "The mail with the link is on its way."
        case .invite: return "The invitation is on its way."
        case .endSession: return "The session has ended."
        case .endSessions: return "All sessions have ended."
        case .removeFactor, .resetFactors: return "The second factor was removed."
        case .unlinkIdentity: return "The provider was unlinked."
        case .export, nil: break
        }
        switch ConsoleTask(rawValue: code) {
        case .newRole: return "The role was created."
        case .editRole, .editEndpoint: return "The changes are saved."
        case .deleteRole: return "The role was deleted."
        case .revokeServiceKey: return "The service key is revoked."
        case .rotateSigningKeys: return "A new key signs from now on."
        case .retryMessage: return "The message is on its way again."
        case .deleteEndpoint: return "The endpoint was deleted."
        case .testEndpoint: return "The test is on its way."
        case .redeliver: return "The event is on its way again."
        case .newServiceKey, .newEndpoint, .endpoint, .rotateEndpointSecret, nil: break
        }
        return code == "created" ? "The account was created." : nil
    }
}
