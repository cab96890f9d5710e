import OstiaryCore
import OstiaryEngine

struct GermanTexts: PageTexts {
    static let confirmationSent =
        "Wir haben Ihnen eine Nachricht geschickt. Öffnen Sie den Link darin, um die Registrierung abzuschließen."

    static func mailed(_ text: String) -> Outcome {
        Outcome(
            heading: "Schauen Sie in Ihr Postfach",
            paragraphs: [
                text,
                "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.",
            ])
    }

    let language = "de"

    let email = "E-Mail-Adresse"
    let password = "Passwort"
    let newPassword = "Neues Passwort"
    let chosenPassword = "Ihr gewähltes Passwort"
    let fullName = "Name"
    let show = "Zeigen"
    let hide = "Verbergen"
    let showPassword = "Passwort zeigen"
    let hidePassword = "Passwort verbergen"

    func passwordRule(minimum: Int) -> String {
        "Mindestens \(minimum) Zeichen. Länge schützt am besten: Einige Wörter, die nichts miteinander zu tun haben, sind leicht zu merken und schwer zu erraten."
    }

    let signIn = "Anmelden"
    func continueTo(_ client: String) -> Phrase { Phrase(before: "und weiter zu ", name: client) }
    let forgotPassword = "Passwort vergessen?"
    let isNew = "Neu hier?"
    let register = "Konto anlegen"
    let isKnown = "Sie haben schon ein Konto?"
    let registrationSent = Self.mailed(Self.confirmationSent)

    let resetRequest = "Passwort zurücksetzen"
    let resetRequestLead =
        "Nennen Sie uns Ihre E\u{2011}Mail-Adresse. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen."
    let sendLink = "Link schicken"
    let resetSent = Self.mailed(
        "Wenn es zu dieser Adresse ein Konto gibt, ist eine Nachricht mit einem Link unterwegs. Er gilt einmal und nicht lange."
    )
    let resetPassword = "Neues Passwort wählen"
    let savePassword = "Passwort speichern"
    let backToSignIn = "Zurück zur Anmeldung"
    func passwordChanged(signingInHere here: Bool) -> Outcome {
        Outcome(
            heading: "Ihr Passwort ist geändert",
            paragraphs: [
                here
                    ? "Sie sind jetzt überall abgemeldet. Melden Sie sich von nun an mit dem neuen Passwort an."
                    : "Sie sind jetzt überall abgemeldet. Gehen Sie zurück zur App und melden Sie sich mit dem neuen Passwort an."
            ])
    }
    let finishRegistration = "Registrierung abschließen"
    let finishRegistrationLead =
        "Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben. So können nur Sie sie abschließen."
    let finishRegistrationInApp = [
        "Sie haben sich mit einem Passkey registriert. Damit nur Sie das abschließen können, fragt die App noch einmal nach diesem Passkey.",
        "Öffnen Sie den Link der Nachricht in der App, oder kopieren Sie das Registrierungs-Token aus der Nachricht in die App.",
    ]
    func registrationConfirmed(signingInHere here: Bool) -> Outcome {
        Outcome(
            heading: "Ihr Konto ist bereit",
            paragraphs: [
                here ? "Sie können sich jetzt anmelden." : "Gehen Sie zurück zur App und melden Sie sich an."
            ])
    }
    func linkOver(_ link: MailedLink, renewedHere here: Bool) -> Outcome {
        let heading = "Dieser Link gilt nicht mehr"
        switch link {
        case .passwordReset:
            return Outcome(
                heading: heading,
                paragraphs: [
                    "Er wurde schon benutzt, ist zu alt, oder es gibt einen neueren: Nur der neueste zählt.",
                    here ? "Sie können einen neuen anfordern." : "Fordern Sie in der App einen neuen an.",
                ])
        case .registration:
            return Outcome(
                heading: heading,
                paragraphs: [
                    "Er wurde schon benutzt oder ist zu alt. Wenn Ihre Registrierung abgeschlossen ist, melden Sie sich einfach an.",
                    here
                        ? "Wenn nicht, legen Sie Ihr Konto noch einmal an."
                        : "Wenn nicht, fordern Sie in der App einen neuen an: Registrieren Sie sich noch einmal.",
                ])
        }
    }
    func renew(_ link: MailedLink) -> String {
        switch link {
        case .passwordReset: "Neuen Link anfordern"
        case .registration: register
        }
    }

    let chooseProvider = "Wie möchten Sie sich anmelden?"
    let chooseAnotherProvider = "Anders anmelden"
    func button(for kind: HostedPage.Brand?, title: String) -> String {
        switch kind {
        case nil: "Weiter mit \(title)"
        case .google: "Über \(title) anmelden"
        case .apple, .github: "Mit \(title) anmelden"
        }
    }
    let consentHeading = "Zugriff erlauben?"
    func consent(to client: String, for wishes: Set<HostedPage.Consent.RequestedClaim>) -> Phrase {
        let person =
            switch (wishes.contains(.name), wishes.contains(.email)) {
            case (true, true): " möchte wissen, wer Sie sind: Ihren Namen und Ihre E\u{2011}Mail-Adresse."
            case (true, false): " möchte wissen, wer Sie sind: Ihren Namen."
            case (false, true): " möchte wissen, wer Sie sind: Ihre E\u{2011}Mail-Adresse."
            case (false, false): " möchte Sie wiedererkennen, wenn Sie zurückkommen."
            }
        let presence =
            wishes.contains(.presence) ? " Der Dienst möchte auch angemeldet bleiben, während Sie nicht da sind." : ""
        return Phrase(name: client, after: person + presence)
    }
    let consentNote = "Ihr Passwort bleibt hier. Niemand sonst bekommt es zu sehen."
    let clientSignInHeading = "Anmeldung fortsetzen?"
    func clientSignIn(to client: String) -> Phrase { Phrase(name: client, after: " möchte Sie anmelden.") }
    let clientSignInNote = "Fahren Sie nur fort, wenn Sie die Anmeldung in dieser App gerade selbst begonnen haben."
    let allow = "Erlauben"
    let deny = "Abbrechen"
    let useAnotherAccount = "Anderes Konto verwenden"
    func mockSignInHeading(_ provider: String) -> String { "Mit \(provider) anmelden" }
    func mockSignIn(for provider: String) -> Phrase {
        Phrase(
            before: "Diese Seite simuliert auf einem Entwicklungsserver die Anmeldung mit ", name: provider,
            after:
                ". Geben Sie einen beliebigen Namen und eine beliebige Adresse ein: Es wird kein Passwort verlangt, und nichts verlässt diesen Rechner."
        )
    }

    let confirmSignOut = "Abmelden?"
    let confirmSignOutLead = "Um hier weiterzumachen, müssen Sie sich danach wieder anmelden."
    let signOut = "Abmelden"
    let signedOut = Outcome(
        heading: "Sie sind abgemeldet", paragraphs: ["Sie können dieses Fenster schließen. Bis bald."])
    let account = "Ihr Konto"
    func signedIn(as person: String?) -> Phrase {
        person.map { Phrase(before: "Sie sind angemeldet als ", name: $0, after: ".") }
            ?? Phrase(before: "Sie sind angemeldet.")
    }
    func continueTo(to title: String) -> String { "Weiter zu \(title)" }

    let problemHeading = "Das hat nicht geklappt"
    let error = "Fehler"
    func check(_ field: String) -> String { "Prüfen Sie das Feld „\(field)“." }

    let developmentServer = "Entwicklungsserver"
    let sentMessages = "Gesendete Nachrichten"
    let inbox = "Postfach des Entwicklungsservers"
    let inboxIsEmpty = "Noch wurde nichts gesendet. Nachrichten erscheinen hier statt in einem Postfach."
    let textMessage = "SMS"
    let openLink = "Link öffnen"
    func sent(to recipient: String) -> Phrase { Phrase(before: "an ", name: recipient) }
}
