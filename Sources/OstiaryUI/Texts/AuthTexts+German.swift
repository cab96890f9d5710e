extension AuthTexts {
    /// The German texts.
    public static let german = AuthTexts(
        language: "de",
        [
            .malformedRequest:
                "Die App hat etwas geschickt, das der Server nicht lesen kann. Aktualisieren Sie die App und versuchen Sie es noch einmal.",
            .wrongCredentials:
                "E\u{2011}Mail-Adresse oder Passwort stimmt nicht. Prüfen Sie beides und versuchen Sie es noch einmal.",
            .wrongCredentialsPhoneNumber:
                "Telefonnummer oder Passwort stimmt nicht. Prüfen Sie beides und versuchen Sie es noch einmal.",
            .wrongCredentialsUsername:
                "Benutzername oder Passwort stimmt nicht. Prüfen Sie beides und versuchen Sie es noch einmal.",
            .wrongPassword: "Das Passwort stimmt nicht. Versuchen Sie es noch einmal.",
            .sessionEnded: "Ihre Sitzung ist zu Ende. Melden Sie sich neu an.",
            .refreshTokenReused: "Zur Sicherheit wurden Sie abgemeldet. Melden Sie sich neu an.",
            .accountDisabled: "Dieses Konto ist gesperrt. Wenden Sie sich an den Betreiber der App.",
            .codeRefused: "Der Code stimmt nicht oder gilt nicht mehr. Fordern Sie einen neuen an.",
            .resetTokenRefused:
                "Dieser Link wurde schon benutzt oder gilt nicht mehr. Fordern Sie in der App einen neuen an; die neueste Nachricht zählt.",
            .authorizationRefused: "Diese Anmeldung ist vorbei. Melden Sie sich neu an.",
            .redirectURIRefused:
                "Die Adresse der App ist hier nicht eingetragen. Wenden Sie sich an den Betreiber der App.",
            .stepUpRequired:
                "Melden Sie sich zur Bestätigung neu an und wiederholen Sie es innerhalb von fünf Minuten.",
            .identityTokenInvalid:
                "Die Antwort des Anmeldedienstes war nicht gültig. Versuchen Sie es noch einmal.",
            .challengeRequired: "Zur Anmeldung fehlt noch ein Schritt, den diese App nicht kann.",
            .challengeRefused: "Dieser Schritt ist abgelaufen. Melden Sie sich neu an.",
            .credentialRefused: "Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal.",
            .dpopRequired: "Diese Version der App kann sich nicht mehr anmelden. Aktualisieren Sie die App.",
            .factorRequired: "Das Konto braucht diesen zweiten Faktor.",
            .factorLimitReached:
                "Das Konto hat so viele zweite Faktoren wie möglich. Entfernen Sie zuerst einen.",
            .forbidden: "Ihr Konto darf das nicht.",
            .notFound: "Das gibt es hier nicht.",
            .confirmationRequired:
                "Wir haben Ihnen eine Nachricht geschickt. Öffnen Sie den Link darin, um die Registrierung abzuschließen.",
            .registrationTokenRefused:
                "Dieser Link wurde schon benutzt oder gilt nicht mehr. Registrieren Sie sich noch einmal, um einen neuen zu bekommen.",
            .identifierTaken:
                "Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder setzen Sie Ihr Passwort zurück.",
            .identifierTakenPhoneNumber:
                "Zu dieser Telefonnummer gibt es schon ein Konto. Melden Sie sich an oder setzen Sie Ihr Passwort zurück.",
            .identifierTakenUsername:
                "Zu diesem Namen oder dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder wählen Sie einen anderen Namen.",
            .tooManyAttempts: "Zu viele Versuche. Versuchen Sie es in {wait} wieder.",
            .deviceLinkRequired:
                "Jemand hat für dieses Konto viele Passwörter probiert. Um sich auf diesem Gerät anzumelden, lassen Sie sich einen Link schicken und öffnen Sie ihn hier.",
            .requestDeviceLink: "Link schicken",
            .deviceLinkSent:
                "Wenn es so ein Konto gibt, ist eine Nachricht mit einem Link unterwegs. Öffnen Sie ihn auf diesem Gerät und melden Sie sich dann an.",
            .deviceLinkLead:
                "Mit dem Link Ihrer Nachricht erkennt Ihr Konto dieses Gerät wieder. Melden Sie sich dann mit Ihrem Passwort an.",
            .redeemDeviceLink: "Dieses Gerät erkennen",
            .deviceRecognized: "Ihr Konto erkennt dieses Gerät jetzt wieder. Melden Sie sich mit Ihrem Passwort an.",
            .busy: "Gerade melden sich sehr viele an. Versuchen Sie es gleich noch einmal.",
            .appNotVerified:
                "Die App auf diesem Gerät konnte nicht geprüft werden. Aktualisieren Sie die App und versuchen Sie es noch einmal.",
            .notConfigured: "Diese Art der Anmeldung gibt es hier nicht.",
            .unavailable:
                "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal. Wenn es so bleibt, nennen Sie dem Betreiber der App diese Nummer: {incident}",
            .unavailableWithoutIncident: "Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.",
            .rejected: "Der Dienst hat das abgelehnt. Versuchen Sie es später wieder.",

            .passwordMissing: "Geben Sie ein Passwort ein.",
            .emailMissing: "Geben Sie Ihre E\u{2011}Mail-Adresse ein.",
            .phoneNumberMissing: "Geben Sie Ihre Telefonnummer ein.",
            .usernameMissing: "Geben Sie Ihren Benutzernamen ein.",
            .codeMissing: "Geben Sie den Code aus der Nachricht ein.",
            .missing: "Hier fehlt etwas.",
            .emailMalformed: "Das ist keine E\u{2011}Mail-Adresse. Sie sieht so aus: name@example.com",
            .phoneNumberMalformed:
                "Das ist keine Telefonnummer. Sie beginnt mit + und dem Land, etwa so: +49 30 1234567",
            .codeMalformed: "Der Code besteht nur aus Ziffern.",
            .codeLength: "Der Code hat {limit} Ziffern.",
            .malformed: "Das geht hier nicht. Prüfen Sie die Eingabe und versuchen Sie es noch einmal.",
            .tooShort: "Zu kurz: Es müssen mindestens {limit} Zeichen sein.",
            .tooLong:
                "Zu lang: höchstens {limit} Bytes, das sind {limit} einfache Buchstaben, weniger mit Umlauten oder Emoji.",
            .tooCommon: "Dieses Passwort benutzen viele; deshalb wird es zuerst geraten. Wählen Sie ein anderes.",
            .compromised:
                "Dieses Passwort ist aus einem Datenleck eines anderen Dienstes bekannt. Wählen Sie ein anderes.",
            .phoneNumberNotSupported:
                "An Telefonnummern dieses Landes werden hier keine Nachrichten geschickt. Benutzen Sie eine andere Nummer.",
            .containsIdentifier:
                "Das ist Ihr eigener Name oder Ihre Adresse und wird zuerst geraten. Wählen Sie etwas, das niemand mit Ihnen verbindet.",

            .offline: "Der Server ist nicht zu erreichen. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
            .connectionLost: "Die Verbindung brach ab, bevor die Antwort kam. Versuchen Sie es noch einmal.",
            .untrusted:
                "Die Verbindung ist nicht sicher: Der Server konnte nicht zeigen, wer er ist. Versuchen Sie es in einem anderen Netz, und geben Sie bis dahin kein Passwort ein.",
            .invalidResponse:
                "Die Antwort war nicht zu verstehen. Falls dieses Netz zuerst eine eigene Anmeldung verlangt, holen Sie sie nach und versuchen Sie es noch einmal.",
            .browserFailed: "Der Browser kam ohne Anmeldung zurück. Versuchen Sie es noch einmal.",
            .store:
                "Dieses Gerät lässt die App die gespeicherte Anmeldung nicht lesen. Entsperren Sie das Gerät und versuchen Sie es noch einmal.",
            .locked: "Entsperren Sie zuerst die App.",
            .notSignedIn: "Melden Sie sich zuerst an.",
            .appMistake: "Diese App ist dafür nicht eingerichtet. Wenden Sie sich an den Betreiber der App.",

            .strength0: "Sofort erraten",
            .strength1: "Leicht zu erraten",
            .strength2: "Mäßig",
            .strength3: "Gut",
            .strength4: "Stark",
            .strengthCommonWord: "Darin steckt ein Passwort, das viele benutzen.",
            .strengthOwnName: "Darin steckt Ihr eigener Name oder Ihre Adresse.",
            .strengthRun:
                "Buchstaben oder Ziffern, die auf- oder abwärts zählen wie abc oder 321, werden früh geraten.",
            .strengthKeyboard: "Tasten, die nebeneinander liegen wie qwertz, werden früh geraten.",
            .strengthRepetition: "Immer wieder das Gleiche bringt wenig.",
            .strengthYear: "Jahreszahlen werden früh geraten.",
            .strengthShort:
                "Machen Sie es länger: Einige Wörter, die nichts miteinander zu tun haben, sind leicht zu merken.",

            .memoryOnly:
                "Dieses Gerät kann Ihre Anmeldung nicht behalten: Beim nächsten Start der App werden Sie wieder gefragt.",
            .passwordChanged: "Ihr Passwort ist geändert. Auf anderen Geräten sind Sie abgemeldet.",
            .profileSaved: "Gespeichert.",
            .codeSent: "Wir haben Ihnen einen Code geschickt.",
            .confirmationSent:
                "Wir haben Ihnen eine Nachricht geschickt. Öffnen Sie den Link darin, um die Registrierung abzuschließen.",
            .resetSent:
                "Wenn es zu dieser Adresse ein Konto gibt, ist eine Nachricht mit einem Link unterwegs. Er gilt einmal und nicht lange.",
            .passwordReset:
                "Sie sind jetzt überall abgemeldet. Melden Sie sich von nun an mit dem neuen Passwort an.",

            .oneSecond: "einer Sekunde",
            .seconds: "{count} Sekunden",
            .minutes: "{count} Minuten",
        ].merging(germanEntry) { text, _ in text }.merging(germanAccount) { text, _ in text }
            .merging(germanFactors) { text, _ in text })
}
