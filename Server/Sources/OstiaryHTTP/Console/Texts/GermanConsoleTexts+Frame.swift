extension GermanConsoleTexts {
    // MARK: Frame

    var skipToContent: String { "Zum Inhalt springen" }
    var menu: String { "Menü" }
    var sections: String { "Bereiche" }
    var account: String { "Ihr Konto" }
    var signOut: String { "Abmelden" }
    var pagesTitle: String { "Seiten" }
    var breadcrumb: String { "Pfad" }
    var chartAsTable: String { "Als Tabelle zeigen" }
    var developmentServer: String { "Entwicklungsserver" }
    var cancel: String { "Abbrechen" }
    var show: String { "Anzeigen" }
    var filter: String { "Filtern" }
    var reset: String { "Zurücksetzen" }
    var create: String { "Anlegen" }
    var any: String { "Beliebig" }
    var never: String { "Nie" }
    var firstPage: String { "Erste Seite" }
    var nextPage: String { "Nächste Seite" }
    var proceed: String { "Weiter" }
    var actionsTitle: String { "Aktionen" }
    var problemPrefix: String { "Fehler:" }
    var notFound: String { "Nicht gefunden" }
    var refused: String { "Nicht möglich" }
    var signedIn: String { "Sie sind angemeldet" }
}
