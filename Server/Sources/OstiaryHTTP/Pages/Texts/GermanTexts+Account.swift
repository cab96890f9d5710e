import OstiaryCore

extension GermanTexts {
    // MARK: Challenges

    var confirmSignIn: String { "Anmeldung bestätigen" }
    var confirmPerson: String { "Bestätigen Sie, dass Sie es sind" }
    func instruction(for method: ChallengeMethod, isSent: Bool) -> String {
        switch method {
        case .totp: "Öffnen Sie Ihre Authenticator-App und geben Sie den Code ein, den sie für dieses Konto zeigt."
        case .recoveryCode:
            "Geben Sie einen der Wiederherstellungscodes ein, die Sie aufbewahrt haben. Jeder gilt einmal."
        case .passkey:
            "Benutzen Sie Ihren Passkey: Ihr Gerät fragt nach Ihrem Fingerabdruck, Ihrem Gesicht oder Ihrer PIN."
        case .password: "Geben Sie Ihr Passwort ein."
        case .smsCode:
            isSent
                ? "Wir haben einen Code an Ihr Telefon geschickt." : "Wir können einen Code an Ihr Telefon schicken."
        case .emailCode:
            isSent
                ? "Wir haben einen Code an Ihre E\u{2011}Mail-Adresse geschickt."
                : "Wir können einen Code an Ihre E\u{2011}Mail-Adresse schicken."
        default: ""
        }
    }
    func name(of method: ChallengeMethod) -> String {
        switch method {
        case .totp: "Authenticator-App"
        case .recoveryCode: "Wiederherstellungscode"
        case .passkey: "Passkey"
        case .password: password
        case .smsCode: "SMS"
        case .emailCode: "E\u{2011}Mail"
        default: method.rawValue
        }
    }
    func label(of method: ChallengeMethod) -> String {
        switch method {
        case .recoveryCode: "Wiederherstellungscode"
        case .password: password
        default: "Code"
        }
    }
    var otherWays: String { "Andere Möglichkeiten" }
    var next: String { "Weiter" }
    var sendCode: String { "Code schicken" }
    var sendAnotherCode: String { "Neuen Code schicken" }
    func text(of error: AuthError, answeringBy method: ChallengeMethod) -> String {
        switch (error, method) {
        case (.invalid(.answers, .missing), .password), (.invalid(.password, .missing), _):
            "Geben Sie Ihr Passwort ein."
        case (.invalid(.answers, .missing), _): "Geben Sie den Code ein."
        case (.wrongCredentials, .password):
            "Das Passwort stimmt nicht. Prüfen Sie es und versuchen Sie es noch einmal."
        case (.codeRefused, .totp):
            "Der Code stimmt nicht oder wurde schon benutzt. Warten Sie, bis die App den nächsten zeigt, und geben Sie ihn ein."
        case (.codeRefused, .recoveryCode):
            "Der Code stimmt nicht oder wurde schon benutzt. Versuchen Sie es mit einem anderen."
        case (.codeRefused, .passkey), (.invalid(.credential, _), _): passkeyRefused
        case (.codeRefused, _):
            "Der Code stimmt nicht oder gilt nicht mehr. Geben Sie den neuesten ein oder lassen Sie sich einen neuen schicken."
        default: text(of: error)
        }
    }
    var challengeOver: Outcome {
        Outcome(
            heading: "Dieser Schritt ist abgelaufen",
            paragraphs: [
                "Er hat länger als fünf Minuten gedauert, ist schon abgeschlossen, oder es gab zu viele falsche Antworten.",
                "Melden Sie sich neu an, um weiterzumachen.",
            ])
    }
    var signInAgain: String { "Neu anmelden" }
    var lostFactor: String { "Gerät verloren? Zweite Faktoren verwalten" }
    func rememberBrowser(days: Int) -> String {
        days == 1
            ? "In diesem Browser heute nicht mehr fragen" : "In diesem Browser \(days) Tage lang nicht mehr fragen"
    }

    // MARK: Passkeys

    var usePasskey: String { "Passkey benutzen" }
    var signInWithPasskey: String { "Mit einem Passkey anmelden" }
    var passkeyNeedsScript: String {
        "Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist. Wählen Sie eine andere Möglichkeit."
    }
    var passkeyUnsupported: String { "Dieser Browser kennt keine Passkeys. Wählen Sie eine andere Möglichkeit." }
    var passkeyUnavailable: String {
        "Unter dieser Adresse gibt es keine Passkeys. Wählen Sie eine andere Möglichkeit."
    }
    var passkeyCancelled: String {
        "Das wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es noch einmal oder wählen Sie eine andere Möglichkeit."
    }
    var passkeyFailed: String {
        "Der Passkey konnte nicht benutzt werden. Versuchen Sie es noch einmal oder wählen Sie eine andere Möglichkeit."
    }
    var passkeyExists: String { "Dieses Gerät hat schon einen Passkey für dieses Konto." }
    var passkeyRefused: String {
        "Der Passkey ist hier nicht bekannt oder konnte nicht geprüft werden. Versuchen Sie es noch einmal oder wählen Sie eine andere Möglichkeit."
    }

    // MARK: Adding factors

    var enrolment: String { "Zweiten Faktor hinzufügen" }
    func enrolmentLead(for client: String?) -> Phrase {
        client.map { Phrase(name: $0, after: " verlangt außer Ihrem Passwort einen zweiten Faktor. \(chooseFactor)") }
            ?? Phrase(before: "Ihr Konto braucht außer dem Passwort einen zweiten Faktor. \(chooseFactor)")
    }
    private var chooseFactor: String { "Wählen Sie, welchen Sie hinzufügen möchten." }
    var addAuthenticator: String { "Authenticator-App hinzufügen" }
    var authenticatorIntroduction: [String] {
        [
            "Eine Authenticator-App auf Ihrem Telefon oder Computer zeigt alle 30 Sekunden einen neuen Code. Bei der Anmeldung geben Sie ihn nach dem Passwort ein.",
            "Wenn Sie noch keine solche App haben, installieren Sie zuerst eine. Auch viele Passwortmanager können das.",
        ]
    }
    var scanCode: String { "Scannen Sie dieses Bild mit Ihrer Authenticator-App." }
    var codeDescription: String { "QR-Code mit dem Schlüssel darunter" }
    var typeKey: String { "Oder geben Sie diesen Schlüssel in die App ein:" }
    var openInAuthenticator: String { "App auf diesem Gerät öffnen" }
    var confirmAuthenticator: String { "Geben Sie dann den Code ein, den die App zeigt." }
    var factorName: String { "Name, an dem Sie ihn wiedererkennen" }
    var authenticatorName: String { "Authenticator-App" }
    var passkeyName: String { "Passkey" }
    var addPasskey: String { "Passkey hinzufügen" }
    var passkeyIntroduction: String {
        "Mit einem Passkey melden Sie sich durch Fingerabdruck, Gesicht oder PIN an, ohne Passwort. Er schützt am besten vor gefälschten Anmeldeseiten."
    }
    var createPasskey: String { "Passkey anlegen" }
    var enrolmentOver: String {
        "Das hat länger als zehn Minuten gedauert oder ist schon abgeschlossen. Fangen Sie noch einmal an."
    }
    func added(_ method: ChallengeMethod) -> Outcome {
        Outcome(
            heading: method == .passkey ? "Ihr Passkey ist hinzugefügt" : "Ihre Authenticator-App ist hinzugefügt",
            paragraphs: ["Überall sonst sind Sie jetzt abgemeldet. Ihre Wiederherstellungscodes bleiben dieselben."])
    }
    var recoveryCodes: String { "Bewahren Sie Ihre Wiederherstellungscodes auf" }
    func recoveryCodesLead(added: ChallengeMethod?) -> [String] {
        let first =
            switch added {
            case nil: "Die früheren Codes gelten nicht mehr."
            case .passkey: "Ihr Passkey ist hinzugefügt. Überall sonst sind Sie jetzt abgemeldet."
            default: "Ihre Authenticator-App ist hinzugefügt. Überall sonst sind Sie jetzt abgemeldet."
            }
        return [
            first,
            "Mit einem dieser Codes melden Sie sich an, wenn Sie Ihr Gerät verlieren. Jeder gilt einmal. Bewahren Sie sie dort auf, wo niemand sonst sie findet: Sie werden nur jetzt gezeigt.",
        ]
    }
    var copy: String { "Kopieren" }
    var copied: String { "Kopiert" }
    var print: String { "Drucken" }
    var recoveryCodesSaved: String { "Ich habe die Codes aufbewahrt" }

    // MARK: Account

    var profile: String { "Profil" }
    var changeName: String { "Namen ändern" }
    var change: String { "Ändern" }
    var changePassword: String { "Passwort ändern" }
    var passwordNote: String { "Mit einem neuen Passwort werden Sie überall sonst abgemeldet." }
    var currentPassword: String { "Bisheriges Passwort" }
    var passwordReplaced: Outcome {
        Outcome(heading: "Ihr Passwort ist geändert", paragraphs: ["Überall sonst sind Sie jetzt abgemeldet."])
    }
    var save: String { "Speichern" }
    var backToAccount: String { "Zurück zum Konto" }
    var secondFactors: String { "Zweite Faktoren" }
    var noFactors: String {
        "Ein zweiter Faktor schützt Ihr Konto auch dann, wenn jemand Ihr Passwort erfährt."
    }
    func addedAt(_ time: String) -> Phrase { Phrase(before: "Hinzugefügt ", name: time) }
    func lastUsedAt(_ time: String) -> Phrase { Phrase(before: "Zuletzt benutzt ", name: time) }
    var notUsedYet: String { "Noch nicht benutzt" }
    var manage: String { "Verwalten" }
    func manage(_ name: String) -> String { "\(name) verwalten" }
    func recoveryCodes(left: Int) -> String {
        switch left {
        case 0: "Kein Wiederherstellungscode übrig"
        case 1: "Ein Wiederherstellungscode übrig"
        default: "\(left) Wiederherstellungscodes übrig"
        }
    }
    var replace: String { "Ersetzen" }
    var replaceRecoveryCodes: String { "Neue Wiederherstellungscodes" }
    var replaceRecoveryCodesName: String { "Wiederherstellungscodes ersetzen" }
    func recoveryCodeReplacementLead(left: Int) -> [String] {
        [
            "\(recoveryCodes(left: left)). Neue Codes ersetzen alle früheren, zum Beispiel wenn jemand sie gesehen haben könnte oder die meisten verbraucht sind."
        ]
    }
    var changeFactor: String { "Diesen zweiten Faktor ändern" }
    var remove: String { "Entfernen" }
    func removalNote(isLast: Bool) -> String {
        isLast
            ? "Das ist Ihr einziger zweiter Faktor. Ohne ihn schützt nur noch Ihr Passwort das Konto, und Ihre Wiederherstellungscodes werden gelöscht."
            : "Danach kann er nicht mehr zur Anmeldung benutzt werden."
    }
    var sessions: String { "Sitzungen" }
    var thisBrowser: String { "Dieser Browser" }
    func device(_ device: UserAgentSummary) -> String {
        switch (device.browser, device.system) {
        case (let browser?, let system?): "\(browser) auf \(system)"
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): "Unbekannter Browser"
        }
    }
    func signedInAt(_ time: String) -> Phrase { Phrase(before: "Angemeldet ", name: time) }
    var endSession: String { "Abmelden" }
    func endSession(of device: String) -> String { "\(device) abmelden" }
    var recognizedDevices: String { "Bekannte Geräte" }
    var noRecognizedDevices: String { "Ihr Konto erkennt keine Geräte wieder." }
    func rememberedUntil(_ time: String) -> Phrase { Phrase(before: "Ohne zweiten Faktor bis ", name: time) }
    var forgetDevice: String { "Vergessen" }
    func forgetDevice(_ device: String) -> String { "\(device) vergessen" }
    var connectedApps: String { "Verbundene Apps" }
    var noApps: String { "Keine App ist mit Ihrem Konto angemeldet." }
    func knows(_ wishes: Set<HostedPage.Consent.RequestedClaim>) -> String {
        switch (wishes.contains(.name), wishes.contains(.email)) {
        case (true, true): "Kennt Ihren Namen und Ihre E\u{2011}Mail-Adresse"
        case (true, false): "Kennt Ihren Namen"
        case (false, true): "Kennt Ihre E\u{2011}Mail-Adresse"
        case (false, false): "Erkennt Sie wieder"
        }
    }
    func connectedSince(_ time: String) -> Phrase { Phrase(before: "Angemeldet seit ", name: time) }
    var disconnect: String { "Trennen" }
    func disconnect(_ name: String) -> String { "\(name) trennen" }
}
