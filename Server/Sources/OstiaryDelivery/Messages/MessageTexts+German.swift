import OstiaryEngine

extension MessageTexts {
    package static let german = MessageTexts(language: "de", email: germanEmail, sms: germanSMS)
}

@Sendable private func germanEmail(_ content: MessageContent, app: String) -> EmailText {
    switch content {
    case .oneTimeCode(let code, let lifetimeSeconds):
        EmailText(
            subject: "Ihr Code für \(app)",
            body: """
                Ihr Code für \(app) lautet

                \(code)

                Er gilt \(words(lifetimeSeconds)). Geben Sie ihn niemandem weiter.
                Haben Sie ihn nicht angefordert, können Sie diese Nachricht ignorieren.

                """)
    case .passwordReset(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Ihr Passwort für \(app) zurücksetzen",
            body: """
                Jemand möchte das Passwort Ihres Kontos bei \(app) zurücksetzen.
                Um ein neues zu wählen, öffnen Sie diesen Link:

                \(link)

                Werden Sie nach einem Token gefragt, lautet es:

                \(token)

                Beide gelten einmal und für \(words(lifetimeSeconds)). Geben Sie sie niemandem weiter.
                Waren Sie das nicht, können Sie diese Nachricht ignorieren: Ihr Passwort
                bleibt, wie es ist.

                """)
    case .deviceLink(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Auf einem neuen Gerät bei \(app) anmelden",
            body: """
                Jemand möchte sich auf einem neuen Gerät bei Ihrem Konto von \(app)
                anmelden, nachdem viele falsche Passwörter probiert wurden. Wenn Sie das
                waren, öffnen Sie diesen Link auf jenem Gerät und melden Sie sich dann mit
                Ihrem Passwort an:

                \(link)

                Wenn Sie nach einem Geräte-Token gefragt werden, es lautet:

                \(token)

                Beides gilt einmal und \(words(lifetimeSeconds)). Geben Sie es niemandem.
                Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne Ihr Passwort
                kommt niemand hinein.

                """)
    case .accountRecovery(let token, let link, let opensAt, let reset):
        EmailText(
            subject: "Ihr Konto bei \(app) wiederherstellen",
            body: """
                Jemand sucht einen Weg zurück in Ihr Konto bei \(app), das einen Passkey und
                kein Passwort hat.

                \(way(with: reset))Ist der Passkey verloren, fügen Sie mit diesem Link einen neuen hinzu:

                \(link)

                Werden Sie nach einem Token gefragt, lautet es:

                \(token)

                Beide gelten einmal, ab \(opensAt.timeInUTC) und dann \(words(PasskeyRecovery.lifetimeSeconds - PasskeyRecovery.waitSeconds)).
                Geben Sie sie niemandem weiter.

                Waren Sie das nicht, melden Sie sich vorher mit Ihrem Passkey an: Damit gilt der
                Link nicht mehr. Können Sie das nicht, schützen Sie Ihr Postfach vor anderen.

                """)
    case .registrationConfirmation(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Ihre Registrierung bei \(app) abschließen",
            body: """
                Jemand, vermutlich Sie, hat sich mit dieser Adresse bei \(app) registriert.
                Um die Registrierung abzuschließen, öffnen Sie diesen Link:

                \(link)

                Werden Sie nach einem Token gefragt, lautet es:

                \(token)

                Beide gelten \(words(lifetimeSeconds)). Waren Sie das nicht, ignorieren Sie diese
                Nachricht: Ohne Ihre Bestätigung wird kein Konto angelegt.

                """)
    case .invitation(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Ihr neues Konto bei \(app)",
            body: """
                Für Sie wurde ein Konto bei \(app) angelegt.
                Um Ihr Passwort zu wählen, öffnen Sie diesen Link:

                \(link)

                Werden Sie nach einem Token gefragt, lautet es:

                \(token)

                Beide gelten einmal und für \(words(lifetimeSeconds)). Geben Sie sie niemandem weiter.
                Erwarten Sie kein Konto, können Sie diese Nachricht ignorieren.

                """)
    case .emailChanged:
        EmailText(
            subject: "Die E-Mail-Adresse Ihres Kontos bei \(app) wurde geändert",
            body: """
                Ein Administrator von \(app) hat die E-Mail-Adresse Ihres Kontos geändert oder
                entfernt. Dies ist die letzte Nachricht an diese Adresse.

                Haben Sie darum gebeten, ist nichts zu tun.
                Wenn nicht, wenden Sie sich jetzt an den Support von \(app).

                """)
    case .passwordChanged:
        EmailText(
            subject: "Ihr Passwort für \(app) wurde geändert",
            body: """
                Das Passwort Ihres Kontos bei \(app) wurde geändert.

                Waren Sie das, ist nichts zu tun.
                Wenn nicht, setzen Sie Ihr Passwort jetzt in der App zurück.

                """)
    case .passwordCompromised:
        EmailText(
            subject: "Ihr Passwort für \(app) ist bekannt geworden",
            body: """
                Das Passwort, mit dem Sie sich bei \(app) anmelden, steht in einer Liste von
                Passwörtern, die bei anderen Diensten gestohlen wurden. \(app) selbst ist nicht
                betroffen. Mit solchen Listen versuchen Angreifer, fremde Konten zu öffnen.

                Ändern Sie Ihr Passwort jetzt in der App, und überall sonst, wo Sie es
                benutzen.

                """)
    case .unusualSignIn(let notice, let link):
        EmailText(
            subject: "Eine ungewöhnliche Anmeldung bei Ihrem Konto bei \(app)",
            body: """
                Jemand hat sich mit Ihren Zugangsdaten bei \(app) angemeldet oder wollte es:
                von einem Gerät oder Ort, von dem Sie es bisher nicht taten.

                Wann: \(notice.at.timeInUTC)\(notice.address.map { "\nVon: \($0)" } ?? "")\(notice.country.map { "\nLand: \($0)" } ?? "")

                Waren Sie das, ist nichts zu tun.
                Wenn nicht, öffnen Sie diesen Link und drücken Sie dort den Knopf. Er meldet Ihr
                Konto überall ab, macht das Passwort ungültig und schickt Ihnen einen Link für
                ein neues:

                \(link)

                Der Link gilt einmal und \(words(UnusualSignInNotice.denialSeconds)).

                """)
    case .factorsChanged(let notice, let time, let link):
        EmailText(
            subject: "Die zweiten Faktoren Ihres Kontos bei \(app)",
            body: """
                \(sentence(notice, app: app))

                Wann: \(time.timeInUTC)\(notice.address.map { "\nVon: \($0)" } ?? "")

                \(advice(link))

                """)
    case .refreshTokenReused:
        EmailText(
            subject: "Ein Gerät wurde von Ihrem Konto bei \(app) abgemeldet",
            body: """
                Eine Anmeldung bei Ihrem Konto bei \(app) wurde an zwei Stellen zugleich
                benutzt. Vielleicht hat jemand eine Kopie davon. Zur Sicherheit haben wir sie
                beendet: Melden Sie sich auf diesem Gerät neu an.

                Haben Sie die App vor Kurzem aus einer Sicherung wiederhergestellt oder auf ein
                anderes Gerät übertragen, ist nichts weiter zu tun.
                Wenn nicht, ändern Sie Ihr Passwort jetzt in der App.

                """)
    case .registrationAttempted:
        EmailText(
            subject: "Ihr Konto bei \(app)",
            body: """
                Jemand wollte sich mit dieser Adresse bei \(app) registrieren. Zu ihr gibt es
                schon ein Konto, und an diesem wurde nichts geändert.

                Waren Sie das, melden Sie sich an, oder setzen Sie Ihr Passwort zurück, falls
                Sie es vergessen haben. Wenn nicht, ist nichts zu tun.

                """)
    case .eventEndpointDisabled(let host):
        EmailText(
            subject: "Ereignisse von \(app) werden nicht mehr gesendet",
            body: """
                Ein Endpunkt bei \(host), der Ereignisse von \(app) empfängt, wurde
                abgeschaltet: Er lehnt sie ab oder hat seit fünf Tagen keines angenommen.

                Schalten Sie ihn in der Verwaltung des Servers wieder ein, wenn er
                funktioniert. Was bis dahin geschieht, wird nicht gesendet.

                """)
    }
}

@Sendable private func germanSMS(_ content: MessageContent, app: String) -> String {
    switch content {
    case .oneTimeCode(let code, let lifetimeSeconds):
        "Ihr Code von \(app) lautet \(code). Er gilt \(words(lifetimeSeconds)). Geben Sie ihn niemandem weiter."
    case .passwordReset(_, let link, let lifetimeSeconds):
        "Neues Passwort bei \(app), der Link gilt \(words(lifetimeSeconds)): \(link)"
    case .deviceLink(_, let link, let lifetimeSeconds):
        "Um sich auf einem neuen Geraet bei \(app) anzumelden, oeffnen Sie dort innerhalb von \(words(lifetimeSeconds)): \(link)"
    case .accountRecovery(_, let link, let opensAt, _):
        "Neuer Passkey bei \(app), ab \(opensAt.timeInUTC): \(link)"
    case .registrationConfirmation(_, let link, let lifetimeSeconds):
        "Ihre Registrierung bei \(app) abschliessen, der Link gilt \(words(lifetimeSeconds)): \(link)"
    case .invitation(_, let link, let lifetimeSeconds):
        "Ihr neues Konto bei \(app): Legen Sie Ihr Passwort fest (gilt \(words(lifetimeSeconds))): \(link)"
    case .emailChanged:
        "Die E-Mail-Adresse Ihres Kontos bei \(app) wurde ersetzt. War das nicht Ihr Wunsch, fragen Sie den Support."
    case .passwordChanged:
        "Ihr Passwort bei \(app) ist jetzt neu. Waren Sie das nicht, vergeben Sie in der App sofort ein anderes."
    case .passwordCompromised:
        "Ihr Passwort bei \(app) steht in einer Liste gestohlener Passwoerter. Vergeben Sie in der App ein anderes."
    case .unusualSignIn(_, let link):
        "Neue Anmeldung bei \(app). Waren Sie das nicht, beenden Sie sie: \(link)"
    case .factorsChanged(let notice, _, let link):
        "\(sentence(notice, app: app)) Waren Sie das nicht, \(link.map { "widerrufen Sie es: \($0)" } ?? "wechseln Sie Ihr Passwort.")"
    case .refreshTokenReused:
        "Eine Anmeldung bei \(app) wurde doppelt benutzt und beendet. Waren Sie das nicht, wechseln Sie Ihr Passwort."
    case .registrationAttempted:
        "Jemand wollte sich mit Ihrer Nummer bei \(app) registrieren. Ihr Konto dort bleibt, wie es ist."
    case .eventEndpointDisabled(let host):
        "Der Endpunkt von \(app) bei \(host) wurde abgeschaltet: Er nimmt keine Ereignisse mehr an."
    }
}

private func way(with reset: MessageContent.Reset?) -> String {
    guard let reset else { return "" }
    return """
        Haben Sie einen Wiederherstellungscode, wählen Sie mit diesem Link ein Passwort,
        und melden Sie sich mit beiden an:

        \(reset.link)

        Werden Sie nach einem Token zum Zurücksetzen gefragt, lautet es:

        \(reset.token)

        Beide gelten einmal und für \(words(reset.lifetimeSeconds)).


        """
}

private func advice(_ link: String?) -> String {
    guard let link else {
        return """
            Waren Sie das, ist nichts zu tun.
            Wenn nicht, ändern Sie Ihr Passwort jetzt in der App, und prüfen Sie dort die
            Liste der zweiten Faktoren.
            """
    }
    return """
        Waren Sie das, ist nichts zu tun.
        Wenn nicht, öffnen Sie diesen Link und drücken Sie dort den Knopf. Er macht die
        Änderung rückgängig und meldet Ihr Konto überall ab:

        \(link)

        Der Link gilt einmal und \(words(FactorChangeNotice.undoSeconds)). Ändern Sie danach Ihr Passwort in der App.
        """
}

private func sentence(_ notice: FactorChangeNotice, app: String) -> String {
    switch notice.change {
    case .added: "\(name(notice.kind)) ist neu bei Ihrem Konto bei \(app)."
    case .removed: "\(name(notice.kind)) Ihres Kontos bei \(app) wurde entfernt."
    case .reset: "Alle zweiten Faktoren Ihres Kontos bei \(app) wurden entfernt."
    case .recoveryCodeUsed: "Ein Wiederherstellungscode Ihres Kontos bei \(app) wurde benutzt."
    case .recoveryCodesReplaced: "Die Wiederherstellungscodes Ihres Kontos bei \(app) sind neu."
    case .passkeyRefused:
        "Ein Passkey Ihres Kontos bei \(app) wurde abgelehnt: Er ist vielleicht kopiert. Bitte ersetzen Sie ihn."
    case .undone:
        "Ein Wechsel der zweiten Faktoren bei \(app) ist widerrufen, und alle Anmeldungen sind beendet."
    }
}

private func name(_ kind: Factor.Kind?) -> String {
    switch kind {
    case .totp: "Eine Authenticator-App"
    case .passkey: "Ein Passkey"
    case nil: "Ein zweiter Faktor"
    }
}

private func words(_ seconds: Int) -> String {
    switch RoundedDuration(seconds: seconds) {
    case .days(let count): "\(count) Tage"
    case .hours(let count): count == 1 ? "1 Stunde" : "\(count) Stunden"
    case .minutes(let count): count == 1 ? "1 Minute" : "\(count) Minuten"
    case .seconds(let count): count == 1 ? "1 Sekunde" : "\(count) Sekunden"
    }
}
