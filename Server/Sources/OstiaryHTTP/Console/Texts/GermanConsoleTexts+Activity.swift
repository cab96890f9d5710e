extension GermanConsoleTexts {
    // MARK: Activity

    var range: String { "Zeitraum" }
    var time: String { "Zeit" }
    var timeInUTC: String { "Zeit (UTC)" }
    var signIns: String { "Anmeldungen" }
    var successRate: String { "Erfolgsquote" }
    var registrations: String { "Registrierungen" }
    var activeToday: String { "Heute aktiv" }
    var activeThisWeek: String { "Diese Woche aktiv" }
    var activeThisMonth: String { "Diesen Monat aktiv" }
    var signInsOverTime: String { "Anmeldungen im Zeitverlauf" }
    var succeeded: String { "Erfolgreich" }
    var failed: String { "Fehlgeschlagen" }
    var pending: String { "Warten auf den zweiten Faktor" }
    var noSignIns: String { "Keine Anmeldungen in diesem Zeitraum" }
    var methodShares: String { "Methoden erfolgreicher Anmeldungen" }
    var method: String { "Methode" }
    var refusals: String { "Gründe für Ablehnungen" }
    var count: String { "Anzahl" }
    var share: String { "Anteil" }
    var failingMessages: String { "Nachrichten, die nicht zugestellt werden konnten" }
    var noFailingMessages: String { "Alle Nachrichten wurden zugestellt." }
    var allMessages: String { "Alle fehlgeschlagenen Nachrichten" }
    var action: String { "Aktion" }
    var outcome: String { "Ergebnis" }
    var outcomeHint: String { "ok, oder der Code einer Ablehnung" }
    var since: String { "Von" }
    var until: String { "Bis" }
    var details: String { "Einzelheiten" }
    var needsApp: String { "Braucht eine App" }
    var noEvents: String { "Keine Ereignisse" }
    var message: String { "Nachricht" }
    var recipient: String { "Empfänger" }
    var attempts: String { "Versuche" }
    var noMessages: String { "Keine Nachrichten" }
}
