import OstiaryCore

struct GermanTexts: PageTexts {
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
    let registrationSent = Outcome(
        heading: "Sehen Sie in Ihr Postfach",
        paragraphs: [
            "Wir haben Ihnen eine Nachricht geschickt. Öffnen Sie den Link darin, um die Registrierung abzuschließen.",
            "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.",
        ])

    let resetRequest = "Passwort zurücksetzen"
    let resetRequestLead =
        "Nennen Sie uns Ihre E\u{2011}Mail-Adresse. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen."
    let sendLink = "Link schicken"
    let resetSent = Outcome(
        heading: "Sehen Sie in Ihr Postfach",
        paragraphs: [
            "Wenn es zu dieser Adresse ein Konto gibt, ist eine Nachricht mit einem Link unterwegs. Er gilt einmal und nicht lange.",
            "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.",
        ])
    let resetPassword = "Neues Passwort wählen"
    let savePassword = "Passwort speichern"
    let passwordChanged = Outcome(
        heading: "Ihr Passwort ist geändert",
        paragraphs: [
            "Überall sonst sind Sie jetzt abgemeldet. Gehen Sie zurück zur App und melden Sie sich mit dem neuen Passwort an."
        ])
    let confirmRegistration = "Registrierung abschließen"
    let confirmRegistrationLead =
        "Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben. So können nur Sie sie abschließen."
    let registrationConfirmed = Outcome(
        heading: "Ihr Konto ist bereit", paragraphs: ["Gehen Sie zurück zur App und melden Sie sich an."])

    let chooseProvider = "Wie möchten Sie sich anmelden?"
    func button(for kind: HostedPage.Brand?, title: String) -> String {
        switch kind {
        case nil: "Weiter mit \(title)"
        case .google: "Über \(title) anmelden"
        case .apple, .github: "Mit \(title) anmelden"
        }
    }
    let consentHeading = "Zugriff erlauben?"
    func consent(to client: String) -> Phrase {
        Phrase(name: client, after: " möchte wissen, wer Sie sind: Ihren Namen und Ihre E\u{2011}Mail-Adresse.")
    }
    let consentNote = "Ihr Passwort bleibt hier. Niemand sonst bekommt es zu sehen."
    let allow = "Erlauben"
    let deny = "Abbrechen"
    func standInHeading(_ provider: String) -> String { "Mit \(provider) anmelden" }
    func standIn(for provider: String) -> Phrase {
        Phrase(
            before: "Diese Seite steht auf einem Entwicklungsserver für ", name: provider,
            after: ". Seien Sie, wer Sie wollen: Es wird kein Passwort verlangt, und nichts verlässt diesen Rechner.")
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
    func goOn(to title: String) -> String { "Weiter zu \(title)" }

    let problemHeading = "Das hat nicht geklappt"

    let developmentServer = "Entwicklungsserver"
    let sentMessages = "Gesendete Nachrichten"
    let inbox = "Postfach des Entwicklungsservers"
    let inboxIsEmpty = "Noch wurde nichts gesendet. Nachrichten erscheinen hier statt in irgendeinem Postfach."
    let textMessage = "SMS"
    let openLink = "Link öffnen"
    func sent(to recipient: String) -> Phrase { Phrase(before: "an ", name: recipient) }
}
