import OstiaryCore
import OstiaryEngine

/// The console in German.
struct GermanConsoleTexts: ConsoleTexts {
    var pages: any PageTexts { GermanTexts() }

    func title(of page: ConsolePath) -> String {
        switch page {
        case .overview: "Übersicht"
        case .people: people
        case .audit: "Protokoll"
        case .messages: "Nachrichten"
        case .events: "Ereignisse"
        case .roles: "Rollen"
        case .serviceKeys: "Dienstschlüssel"
        case .signingKeys: "Signaturschlüssel"
        case .configuration: "Konfiguration"
        case .health: "Zustand"
        case .person, .personAction: person
        case .newPerson: newPerson
        case .task(let task): name(of: task)
        case .signIn, .callback: signInTitle
        case .signOut: signOut
        }
    }

    func name(of range: OverviewPage.Range) -> String {
        switch range {
        case .day: "24 Stunden"
        case .week: "7 Tage"
        case .month: "30 Tage"
        }
    }

    func name(of state: Message.State) -> String {
        switch state {
        case .queued: "Wartet"
        case .sent: "Gesendet"
        case .failed: "Fehlgeschlagen"
        }
    }

    func name(of state: EventDelivery.State) -> String {
        switch state {
        case .pending: "Wartet"
        case .delivered: "Zugestellt"
        case .failed: "Fehlgeschlagen"
        }
    }

    func name(of state: EventEndpoint.State) -> String {
        switch state {
        case .enabled: "Eingeschaltet"
        case .disabled: "Ausgeschaltet"
        }
    }

    func name(of source: RoleDefinition.Source) -> String {
        switch source {
        case .builtIn: "Eingebaut"
        case .configuration: "Konfiguration"
        case .api: "Hier angelegt"
        }
    }

    func days(_ count: Int) -> String { "In \(count) Tagen" }
    func by(_ actor: String) -> String { "von \(actor)" }
    func answeredIn(milliseconds: Int) -> String { "Antwort in \(milliseconds) ms" }
    func incident(_ incident: String) -> String { "Vorfall \(incident), siehe das Log des Servers" }

    // MARK: Signing in

    var signInTitle: String { "Anmelden" }
    var otherAccount: String { "Mit einem anderen Konto anmelden" }
    var signInOver: Outcome {
        Outcome(
            heading: "Diese Anmeldung ist vorbei",
            paragraphs: [
                "Sie hat zu lange gedauert, war schon abgeschlossen oder begann in einem anderen Browser. Melden Sie sich noch einmal an."
            ])
    }
    var signInDeclined: Outcome {
        Outcome(heading: "Sie sind nicht angemeldet", paragraphs: ["Die Anmeldung wurde nicht abgeschlossen."])
    }
    var secondFactorNeeded: Outcome {
        Outcome(
            heading: "Ein zweiter Faktor ist nötig",
            paragraphs: [
                "Die Konsole öffnet sich nur nach einer Anmeldung mit zwei Faktoren. Fügen Sie Ihrem Konto eine Authenticator-App oder einen Passkey hinzu, und melden Sie sich noch einmal an.",
                "Wenn Ihr Konto keinen haben kann, hat die Konfiguration des Servers zweite Faktoren ausgeschaltet: idp.second_factor.policy.",
            ])
    }
    var noAdministrator: Outcome {
        Outcome(
            heading: "Ihr Konto verwaltet diesen Server nicht",
            paragraphs: [
                "Die Rolle kann jemand vergeben, der sie hat, oder wer den Server betreibt: ostiary admin invite."
            ])
    }
    var signedOut: Outcome {
        Outcome(
            heading: "Sie sind abgemeldet",
            paragraphs: ["Dieser Browser ist von der Konsole und von den Konten abgemeldet."])
    }
    var unknownPage: Outcome {
        Outcome(heading: "Diese Seite gibt es nicht", paragraphs: ["Die Adresse gehört nicht zur Konsole."])
    }
    var unreadableForm: Outcome {
        Outcome(
            heading: "Das Formular war nicht lesbar",
            paragraphs: ["Es wurde nichts geändert. Öffnen Sie die Seite noch einmal."])
    }
    var foreignForm: Outcome {
        Outcome(
            heading: "Das Formular gilt nicht mehr",
            paragraphs: [
                "Es entstand vor Ihrer letzten Anmeldung oder auf einer anderen Seite. Es wurde nichts geändert. Öffnen Sie die Seite noch einmal."
            ])
    }
    func unavailable(incident: String?) -> Outcome {
        Outcome(
            heading: "Der Server kann gerade nicht antworten",
            paragraphs: ["Versuchen Sie es gleich noch einmal."]
                + (incident.map { ["Vorfall \($0), siehe das Log des Servers."] } ?? []))
    }
}
