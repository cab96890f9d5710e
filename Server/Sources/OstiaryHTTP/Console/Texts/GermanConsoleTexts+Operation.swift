extension GermanConsoleTexts {
    // MARK: Roles and keys

    var nameTitle: String { "Name" }
    var permissions: String { "Berechtigungen" }
    var permissionsHint: String { "Eine je Zeile, etwa videos:write, videos:* oder *." }
    var roleNameHint: String { "1 bis 64 Buchstaben, Ziffern, '.', '_', ':' oder '-', und nicht '.' oder '..'" }
    var source: String { "Herkunft" }
    var serviceKeysNote: String {
        "Für Programme, die die Admin-Schnittstelle verwenden. Jeder hat nur die Rechte und Apps, die er braucht."
    }
    var noServiceKeys: String { "Keine Dienstschlüssel" }
    var newServiceKeyNote: String { "Der Schlüssel wird einmal gezeigt, nachdem er angelegt wurde." }
    var serviceKeyCreated: String { "Der Dienstschlüssel wurde angelegt" }
    var shownOnce: String {
        "Kopieren Sie ihn jetzt: Er wird nicht noch einmal gezeigt, und niemand kann ihn nachsehen."
    }
    var scopes: String { "Rechte" }
    var networks: String { "Netze" }
    var networksHint: String { "Eines je Zeile, etwa 10.0.0.0/8. Leer für alle." }
    var serviceKeyAppsHint: String { "Namen, einer je Zeile. Leer für alle außer idp, das genannt werden muss." }
    var everyAppButProvider: String { "Alle außer idp" }
    var expiresAt: String { "Läuft ab" }
    var expired: String { "Abgelaufen" }
    var revoked: String { "Widerrufen" }
    var keyID: String { "Schlüssel-ID" }
    var algorithm: String { "Algorithmus" }
    var acceptedUntil: String { "Akzeptiert bis" }
    var signs: String { "Signiert" }
    var signsLater: String { "Signiert später" }
    var isAccepted: String { "Akzeptiert" }
    var sharedSecret: String { "Signiert mit dem Geheimnis der Konfiguration." }

    // MARK: Events

    var endpoint: String { "Endpunkt" }
    var endpoints: String { "Endpunkte" }
    var endpointID: String { "ID" }
    var endpointOf: String { "Endpunkt von " }
    var noEndpoints: String { "Keine Endpunkte" }
    var endpointCreated: String { "Der Endpunkt wurde angelegt" }
    var url: String { "URL" }
    var urlHint: String { "https, an einer öffentlichen Adresse" }
    var eventType: String { "Ereignis" }
    var eventTypes: String { "Ereignisse" }
    var everyType: String { "Alle" }
    var includedFields: String { "Enthaltene Felder" }
    var descriptionTitle: String { "Beschreibung" }
    var contact: String { "Kontakt" }
    var contactHint: String {
        "Erfährt es per Mail, wenn der Endpunkt ausgeschaltet wird, weil Zustellungen fehlschlagen"
    }
    var isEnabled: String { "Eingeschaltet" }
    var lastSuccessAt: String { "Letzter Erfolg" }
    var failingSince: String { "Fehlerhaft seit" }
    var delivery: String { "Zustellung" }
    var deliveries: String { "Zustellungen" }
    var noDeliveries: String { "Keine Zustellungen" }
    var newSecretNote: String {
        "Kopieren Sie es jetzt: Es wird nicht noch einmal gezeigt. Das vorherige Geheimnis gilt noch 24 Stunden."
    }

    // MARK: Server

    var configurationNote: String {
        "Die wirksamen Werte. Geheimnisse sind verdeckt. Ändern Sie sie in der Datei, und laden Sie die Konfiguration neu."
    }
    var server: String { "Server" }
    var version: String { "Version" }
    var store: String { "Datenbank" }
    var available: String { "Verfügbar" }
    var unavailableBadge: String { "Nicht verfügbar" }
}
