extension GermanConsoleTexts {
    // MARK: People

    var app: String { "App" }
    var apps: String { "Apps" }
    var everyApp: String { "Alle Apps" }
    var person: String { "Person" }
    var people: String { "Personen" }
    var search: String { "Suche" }
    var searchHint: String { "Der Anfang von E\u{2011}Mail-Adresse, Benutzername, Telefonnummer, Name oder ID" }
    var createdAfter: String { "Angelegt nach dem" }
    var state: String { "Zustand" }
    var active: String { "Aktiv" }
    var disabled: String { "Gesperrt" }
    var role: String { "Rolle" }
    var rolesTitle: String { "Rollen" }
    var scope: String { "Bereich" }
    var everyScope: String { "Jeder Bereich" }
    var noRoles: String { "Keine Rollen" }
    var rolesHint: String { "Eine je Zeile: ROLLE, oder ROLLE@BEREICH für einen Bereich." }
    var noPeople: String { "Niemand passt dazu." }
    var noPeopleYet: String { "Bisher passt niemand dazu. Die Suche geht auf der nächsten Seite weiter." }
    var newPerson: String { "Neue Person" }
    var newPersonNote: String {
        "Mindestens eines von E\u{2011}Mail-Adresse, Benutzername und Telefonnummer ist nötig, wie es die App verlangt."
    }
    var newPersonPasswordHint: String { "Lassen Sie es leer, wenn die Person es über die Einladung festlegt." }
    var sendInvitation: String { "Einladung per Mail senden" }
    var sendInvitationHint: String { "Mit einem Link, um ein Passwort festzulegen. Nur ohne Passwort hier." }
    var accountOf: String { "Konto von " }
    var about: String { "Betrifft " }
    var profile: String { "Profil" }
    var accountID: String { "Konto-ID" }
    var username: String { "Benutzername" }
    var phoneNumber: String { "Telefonnummer" }
    var emailIsVerified: String { "Die Person hat bewiesen, dass sie dort Mail empfängt" }
    var phoneNumberIsVerified: String { "Die Person hat bewiesen, dass sie dort Nachrichten empfängt" }
    var verified: String { "bestätigt" }
    var notVerified: String { "nicht bestätigt" }
    var hasPassword: String { "Gesetzt" }
    var hasNoPassword: String { "Keines" }
    var createdAt: String { "Angelegt" }
    var updatedAt: String { "Geändert" }
    var lastSignInAt: String { "Letzte Anmeldung" }
    var provider: String { "Anbieter" }
    var providerSubject: String { "Kennung" }
    var identities: String { "Verknüpfte Anbieter" }
    var noIdentities: String { "Kein verknüpfter Anbieter" }
    var linkedAt: String { "Verknüpft" }
    var secondFactor: String { "Zweiter Faktor" }
    var noFactors: String { "Keine zweiten Faktoren" }
    var kind: String { "Art" }
    var addedAt: String { "Hinzugefügt" }
    var lastUsedAt: String { "Zuletzt verwendet" }
    var sessions: String { "Sitzungen" }
    var noSessions: String { "Nirgends angemeldet" }
    var device: String { "Gerät" }
    var address: String { "Adresse" }
    var signedInAt: String { "Angemeldet" }
    var endsAt: String { "Endet" }
    var timeline: String { "Verlauf" }
    var allEvents: String { "Alle Ereignisse" }
    var dangers: String { "Aktionen des Kontos" }
    var dangersNote: String {
        "Jede dieser Aktionen verlangt eine Bestätigung und eine Anmeldung innerhalb der letzten fünf Minuten."
    }
}
