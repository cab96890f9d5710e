import OstiaryCore
import OstiaryEngine

extension EnglishConsoleTexts {
    func text(of problem: AdministrationProblem) -> String {
        switch problem.code {
        case "not_found": "There is nothing at this address, or not any more."
        case "missing" where problem.field == nil: "At least an email, a username or a phone number is needed."
        case "missing", "mistyped", "malformed", "not_supported", "unknown":
            problem.field.flatMap(requirement)
                ?? (problem.code == "missing"
                    ? "Something is missing here." : "This cannot be used here. Check it and try again.")
        case "date_malformed": "Use a date such as 2026-11-25."
        case "too_short": "This is too short."
        case "too_long": "This is too long."
        case "too_many": "These are too many values."
        case "too_common": "Too many people use this password. Choose another."
        case "compromised": "This password is known from a breach of another service. Choose another."
        case "contains_identifier": "The password is the person's own name or address. Choose another."
        case "identifier_taken": "Another account has this already."
        case "last_administrator": "This is the last administrator. Give another person the role first."
        case "last_way_in": "This is the last way to sign in to the account."
        case "account_disabled": "The account is disabled. Enable it first."
        case "no_email": "The account has no email address."
        case "has_credentials": "The account has a password already. Send a password reset instead."
        case "not_configured": "The app does not have this."
        case "role_exists": "There is a role of this name already."
        case "role_read_only": "This role is defined in the configuration and cannot be changed here."
        case "role_limit_reached", "limit_reached": "The app has as many as possible. Delete one first."
        case "too_many_roles": "An account has at most \(Administration.maximumAssignments) roles."
        case "too_many_permissions": "A role has at most \(RoleDefinitions.maximumPermissions) permissions."
        case "edit_conflict":
            "Something was changed here after you opened the page. Nothing was saved. Your entries are below, beside what changed. Check them and save again."
        case "message_not_failed": "The message was sent, or waits for its next attempt."
        case "message_expired": "The message is of no use any more. The person can ask for a new one."
        case "name_missing", "name_malformed", "name_too_long":
            "Enter a name of 1 to \(FactorName.maximumScalars) characters."
        case "scopes_missing": "Choose at least one right."
        case "scope_unknown": "There is no such right."
        case "app_unknown": "There is no app of one of these names."
        case "apps_too_many", "networks_too_many": "These are too many. Use a key for fewer."
        case "network_malformed": "Enter one address or network on each line, such as 10.0.0.0/8."
        case "shared_secret": "The app signs with the secret of its configuration. Change it there."
        case "https_required", "address_refused": "This address is not allowed: https is needed, at a public address."
        case "endpoint_disabled": "The endpoint is disabled. Enable it first."
        case "too_many_requests":
            switch problem.retryAfterSeconds ?? 60 {
            case 1: "Too many at once. Try again in one second."
            case let seconds: "Too many at once. Try again in \(seconds) seconds."
            }
        default: problem.description
        }
    }

    func requirement(of field: String) -> String? {
        switch field {
        case "app": "Choose an app."
        case "full_name": "Enter a name without control characters and invisible ones."
        case "email", "contact": "Enter an email address such as name@example.com."
        case "email_verified": "There is no email address that could be verified."
        case "username": "Enter a username without control characters, invisible ones and |."
        case "phone_number": "Enter the number with + and the country code, such as +493012345678."
        case "phone_number_verified": "There is no phone number that could be verified."
        case "password": "The passwords of this app are verified elsewhere. Leave it empty."
        case "invite": "The passwords of this app are verified elsewhere. Send no invitation."
        case "roles":
            "Enter one role on each line: ROLE, or ROLE@SCOPE for one scope. A role is \(RoleAssignment.form)."
        case "name": "A role is \(RoleAssignment.form)."
        case "permissions": "Enter one permission on each line, such as videos:write, videos:* or *."
        case "url": "Enter a URL such as https://example.com/events."
        case "types", "include": "Choose from the list."
        case "description": "Enter a text without control characters."
        case "days": "Choose one of the times."
        default:
            field.utf8.starts(with: AdministrationProblem.attributePrefix.utf8)
                ? "Enter a value of the kind that stands below the field." : nil
        }
    }

    func problems(_ count: Int) -> String { "\(count) entries cannot be used. Beside each is the reason." }
    var changedMeanwhile: String { "Changed after you opened the page. This is the present value." }
    func changedTo(_ value: String) -> String {
        value.isEmpty
            ? "Changed after you opened the page. Now it is empty."
            : "Changed after you opened the page. The present value: \(value)"
    }
    var choiceNotKept: String { "Your choice was not kept, since other values have changed. Choose again." }

    func name(of type: AttributeType) -> String {
        switch type {
        case .string: "Text"
        case .integer: "A whole number"
        case .number: "A number, such as 1.5"
        case .boolean: "true or false"
        case .stringList: "Texts, separated by commas"
        case .dateTime: "A time such as 2026-01-31T12:00:00Z"
        }
    }
}
