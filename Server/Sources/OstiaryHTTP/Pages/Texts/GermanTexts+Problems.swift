import OstiaryCore

extension GermanTexts {
    func outcome(of problem: HostedPage.Problem) -> Outcome {
        switch problem {
        case .signInOver:
            Outcome(
                heading: "Diese Anmeldung ist vorbei",
                paragraphs: [
                    "Sie hat zu lange gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser begonnen.",
                    "Gehen Sie zurück zur App und melden Sie sich neu an.",
                ])
        case .redirectURIRefused:
            Outcome(
                heading: "Dorthin können wir Sie nicht bringen",
                paragraphs: [
                    "Die App wollte, dass wir Sie zu einer Adresse schicken, die nicht für sie eingetragen ist. Zu Ihrem Schutz geht es hier nicht weiter.",
                    "Falls es Ihre App ist: Tragen Sie die Redirect-URI buchstabengetreu in der Konfiguration des Servers ein.",
                ])
        case .unknownClient:
            Outcome(
                heading: "Diese App kennen wir nicht",
                paragraphs: [
                    "Der Link nennt eine App, die hier nicht eingetragen ist.",
                    "Gehen Sie zurück zur App und versuchen Sie es noch einmal, oder fragen Sie, wer sie betreibt.",
                ])
        case .malformedRequest:
            Outcome(
                heading: "Diese Anfrage können wir nicht lesen",
                paragraphs: [
                    "Der Link ist unvollständig oder beschädigt.",
                    "Gehen Sie zurück zur App und versuchen Sie es noch einmal.",
                ])
        case .formExpired:
            Outcome(
                heading: "Dieses Formular ist abgelaufen",
                paragraphs: [
                    "Es war zu lange offen, kam von einer anderen Seite, oder Ihr Browser behält keine Cookies von uns.",
                    "Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.",
                ])
        case .providerAway(let incident, _):
            Outcome(
                heading: "Der Anmeldedienst ist nicht erreichbar",
                paragraphs: [
                    "Der Dienst, über den Sie sich anmelden möchten, antwortet gerade nicht. Versuchen Sie es in einigen Minuten wieder."
                ] + Self.reference(incident))
        case .refused(let error): Outcome(heading: problemHeading, paragraphs: [text(of: error)])
        }
    }

    func text(of error: AuthError) -> String {
        switch error {
        case .invalid(let field, let problem): text(of: problem, in: field)
        // No page has a field for an attribute of the app.
        case .malformedRequest, .signatureRefused, .invalidAttribute, .invalidDPoPProof, .useDPoPNonce:
            "Diese Anfrage können wir nicht lesen. Gehen Sie zurück und versuchen Sie es noch einmal."
        case .wrongCredentials:
            "E\u{2011}Mail-Adresse oder Passwort stimmt nicht. Prüfen Sie beides und versuchen Sie es noch einmal."
        case .invalidAccessToken, .sessionRevoked, .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired,
            .refreshTokenRevoked, .signingKeyAlreadyIssued:
            "Ihre Sitzung ist zu Ende. Melden Sie sich neu an."
        case .dpopRequired: "Diese Version der App kann sich nicht mehr anmelden. Aktualisieren Sie die App."
        case .stepUpRequired:
            "Melden Sie sich zur Bestätigung neu an und wiederholen Sie es innerhalb von fünf Minuten."
        case .accountDisabled: "Dieses Konto ist gesperrt. Wenden Sie sich an den Betreiber der App."
        case .codeRefused: "Der Code stimmt nicht oder gilt nicht mehr. Fordern Sie einen neuen an."
        case .resetTokenRefused:
            "Dieser Link wurde schon benutzt oder gilt nicht mehr. Fordern Sie in der App einen neuen an; die neueste Nachricht zählt."
        case .authorizationRefused: "Diese Anmeldung ist vorbei. Gehen Sie zurück zur App und melden Sie sich neu an."
        case .redirectURIRefused:
            "Die Adresse der App ist hier nicht eingetragen. Wenden Sie sich an den Betreiber der App."
        case .identityTokenInvalid: "Die Antwort des Anmeldedienstes war nicht gültig. Versuchen Sie es noch einmal."
        case .challengeRefused: "Dieser Schritt ist abgelaufen. Melden Sie sich neu an."
        case .appAssertionRequired:
            "Dieser Schritt ist nur in der App möglich. Öffnen Sie den Link der Nachricht auf einem Gerät mit der App."
        case .attestationRefused, .appAssertionRefused:
            "Die App auf diesem Gerät konnte nicht geprüft werden. Aktualisieren Sie die App und versuchen Sie es noch einmal."
        case .credentialRefused: "Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal."
        case .factorRequired: "Das Konto braucht diesen zweiten Faktor."
        case .factorLimitReached: "Das Konto hat so viele zweite Faktoren wie möglich. Entfernen Sie zuerst einen."
        case .challengeRequired:
            "Zur Anmeldung fehlt noch ein Schritt. Gehen Sie zurück zur App und machen Sie dort weiter."
        case .forbidden, .missingPermission, .impersonated: "Ihr Konto darf das nicht."
        case .notFound: "Das gibt es hier nicht. Vielleicht ist der Link unvollständig."
        case .confirmationRequired: Self.confirmationSent
        case .registrationTokenRefused:
            "Dieser Link wurde schon benutzt oder gilt nicht mehr. Registrieren Sie sich noch einmal, um einen neuen zu bekommen."
        case .identifierTaken:
            "Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder setzen Sie Ihr Passwort zurück."
        case .tooManyAttempts(let seconds): "Zu viele Versuche. Versuchen Sie es in \(duration(seconds)) wieder."
        case .deviceLinkRequired:
            "Jemand hat für dieses Konto viele Passwörter probiert. Um sich auf diesem Gerät anzumelden, lassen Sie sich einen Link schicken und öffnen Sie ihn hier."
        case .proofOfWorkRequired(_, let seconds):
            "Aus Ihrem Netz sind viele Anmeldungen gescheitert. Geben Sie Ihr Passwort noch einmal ein: Ihr Browser rechnet vorher einen Nachweis aus. Ohne JavaScript geht es in \(duration(seconds)) weiter."
        case .busy: "Gerade melden sich sehr viele an. Versuchen Sie es gleich noch einmal."
        case .notConfigured: "Diese Art der Anmeldung gibt es hier nicht."
        case .unavailable(let incident):
            (["Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal."] + Self.reference(incident))
                .joined(separator: " ")
        case .rejected: "Der Dienst hat das abgelehnt. Versuchen Sie es später wieder."
        }
    }

    private func text(of problem: FieldProblem, in field: Field) -> String {
        switch (field, problem) {
        case (.password, .missing), (.newPassword, .missing): "Geben Sie ein Passwort ein."
        case (.email, .missing): "Geben Sie Ihre E\u{2011}Mail-Adresse ein."
        case (.email, _): "Das ist keine E\u{2011}Mail-Adresse. Sie sieht so aus: name@example.com"
        case (_, .missing): "Hier fehlt etwas."
        case (.phoneNumber, .notSupported):
            "An Telefonnummern dieses Landes werden hier keine Nachrichten geschickt. Benutzen Sie eine andere Nummer."
        case (_, .mistyped), (_, .malformed), (_, .notSupported), (_, .tooMany), (_, .readOnly), (_, .unknown):
            "Das geht hier nicht. Prüfen Sie die Eingabe und versuchen Sie es noch einmal."
        case (_, .tooShort(let minimum)): "Zu kurz: Es müssen mindestens \(minimum) Zeichen sein."
        case (_, .tooLong(let maximum)):
            "Zu lang: höchstens \(maximum) Bytes, das sind \(maximum) einfache Buchstaben, weniger mit Umlauten oder Emoji."
        case (_, .compromised):
            "Dieses Passwort ist aus einem Datenleck eines anderen Dienstes bekannt. Wählen Sie ein anderes."
        case (_, .tooCommon):
            "Dieses Passwort benutzen viele; deshalb wird es zuerst geraten. Wählen Sie ein anderes."
        case (_, .containsIdentifier):
            "Das ist Ihr eigener Name oder Ihre Adresse und wird zuerst geraten. Wählen Sie etwas, das niemand mit Ihnen verbindet."
        }
    }

    private static func reference(_ incident: String?) -> [String] {
        guard let incident else { return [] }
        return ["Wenn es so bleibt, nennen Sie dem Betreiber der App diese Nummer: \(incident)"]
    }

    private func duration(_ seconds: Int) -> String {
        if seconds < 100 { return seconds == 1 ? "einer Sekunde" : "\(seconds) Sekunden" }
        return "\((seconds + 59) / 60) Minuten"
    }
}
