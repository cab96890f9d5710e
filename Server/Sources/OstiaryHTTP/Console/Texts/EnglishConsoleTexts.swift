import OstiaryCore
import OstiaryEngine

/// The console in English.
struct EnglishConsoleTexts: ConsoleTexts {
    var pages: any PageTexts { EnglishTexts() }

    func title(of page: ConsolePath) -> String {
        switch page {
        case .overview: "Overview"
        case .people: people
        case .audit: "Audit log"
        case .messages: "Messages"
        case .events: "Events"
        case .roles: "Roles"
        case .serviceKeys: "Service keys"
        case .signingKeys: "Signing keys"
        case .configuration: "Configuration"
        case .health: "Health"
        case .person, .personAction: person
        case .newPerson: newPerson
        case .task(let task): name(of: task)
        case .signIn, .callback: signInTitle
        case .signOut: signOut
        }
    }

    func name(of range: OverviewPage.Range) -> String {
        switch range {
        case .day: "24 hours"
        case .week: "7 days"
        case .month: "30 days"
        }
    }

    func name(of state: Message.State) -> String {
        switch state {
        case .queued: "Waiting"
        case .sent: "Sent"
        case .failed: "Failed"
        }
    }

    func name(of state: EventDelivery.State) -> String {
        switch state {
        case .pending: "Waiting"
        case .delivered: "Delivered"
        case .failed: "Failed"
        }
    }

    func name(of state: EventEndpoint.State) -> String {
        switch state {
        case .enabled: "Enabled"
        case .disabled: "Disabled"
        }
    }

    func name(of source: RoleDefinition.Source) -> String {
        switch source {
        case .builtIn: "Built in"
        case .configuration: "Configuration"
        case .api: "Made here"
        }
    }

    func days(_ count: Int) -> String { "In \(count) days" }
    func by(_ actor: String) -> String { "by \(actor)" }
    func answeredIn(milliseconds: Int) -> String { "Answered in \(milliseconds) ms" }
    func incident(_ incident: String) -> String { "Incident \(incident), see the server's log" }

    // MARK: Signing in

    var signInTitle: String { "Sign in" }
    var otherAccount: String { "Sign in with another account" }
    var signInOver: Outcome {
        Outcome(
            heading: "This sign-in is over",
            paragraphs: ["It took too long, was finished before, or began in another browser. Sign in again."])
    }
    var signInDeclined: Outcome {
        Outcome(heading: "You are not signed in", paragraphs: ["The sign-in was not completed."])
    }
    var secondFactorNeeded: Outcome {
        Outcome(
            heading: "A second factor is needed",
            paragraphs: [
                "The console opens only after a sign-in with two factors. Add an authenticator app or a passkey to your account, and sign in again.",
                "If your account cannot have one, the server's configuration has turned second factors off: idp.second_factor.policy.",
            ])
    }
    var noAdministrator: Outcome {
        Outcome(
            heading: "Your account is not an administrator",
            paragraphs: ["An administrator can give it the role, or whoever runs the server: ostiary admin invite."])
    }
    var signedOut: Outcome {
        Outcome(
            heading: "You are signed out",
            paragraphs: ["This browser is signed out of the console and of the accounts."])
    }
    var unknownPage: Outcome {
        Outcome(heading: "There is no such page", paragraphs: ["The address is not one of the console."])
    }
    var unreadableForm: Outcome {
        Outcome(heading: "The form could not be read", paragraphs: ["Nothing was changed. Open the page again."])
    }
    var foreignForm: Outcome {
        Outcome(
            heading: "The form is no longer valid",
            paragraphs: [
                "It was made before your last sign-in, or by another site. Nothing was changed. Open the page again."
            ])
    }
    func unavailable(incident: String?) -> Outcome {
        Outcome(
            heading: "The server cannot answer now",
            paragraphs: ["Try again in a moment."] + (incident.map { ["Incident \($0), see the server's log."] } ?? []))
    }
}
